/** What taking over would do, judged against what is here: each thing is new, there already, in another one's way, or impossible. */
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { App } from '../../app.ts'
import { maskSecret } from '../../core/secret.ts'
import { ok, type Result } from '../../core/result.ts'
import { checkAtSave } from '../../outbound/policy.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import type { Refusal } from '../../http/refusal.ts'
import { fieldErrors } from '../../http/validation.ts'
import { CreateAccountSchema } from '../../resources/accounts/schema.ts'
import { WriteBody } from '../../resources/aliases/schema.ts'
import { actedBy } from '../../resources/auth/acted-by.ts'
import { LOCAL } from '../../resources/auth/actor.ts'
import { WholeChainBody } from '../../resources/chains/schema.ts'
import { CreateCustomProviderSchema } from '../../resources/custom-providers/schema.ts'
import { CreateKeyBody } from '../../resources/keys/schema.ts'
import { hashOfSecret, secretProblem } from '../../resources/keys/secret.ts'
import type { Found, FoundAccount, FoundKey, FoundName, FoundProvider } from './found.ts'

export type Here = Pick<App, 'accounts' | 'aliases' | 'chains' | 'customProviders' | 'keys'>

export interface Intent {
  readonly kind: 'provider' | 'account' | 'alias' | 'chain' | 'key'
  readonly name: string
  /** What it is, secrets masked. */
  readonly detail: string
  readonly state: 'new' | 'there' | 'clash' | 'unfit'
  /** Why it is `unfit`; null otherwise. */
  readonly problem: string | null
  create(): Promise<Result<unknown, Refusal>>
}

/** Whatever a caller of the API could not send is not made here either. */
function judged(
  schema: TSchema,
  draft: unknown,
  saved: 'there' | 'clash' | undefined,
): Pick<Intent, 'state' | 'problem'> {
  if (saved !== undefined) return { state: saved, problem: null }
  const errors = fieldErrors(Value.Errors(schema, draft))
  return Object.keys(errors).length === 0
    ? { state: 'new', problem: null }
    : { state: 'unfit', problem: wordsOf(errors) }
}

/** In the order in which they have to be made. */
export function intentsOf(found: Found, here: Here): readonly Intent[] {
  const accountIds = new Map<string, string>()
  return [
    ...found.providers.map((provider) => intentOfProvider(provider, here)),
    ...found.accounts.map((account) => intentOfAccount(account, here, accountIds)),
    ...found.names.map((name) => (name.kind === 'alias' ? intentOfAlias : intentOfChain)(name, here, accountIds)),
    ...found.keys.map((key) => intentOfKey(key, here)),
  ]
}

function intentOfProvider(
  { slug, name, dialect, baseUrl, authScheme }: FoundProvider,
  { customProviders }: Here,
): Intent {
  const isPrivate = checkAtSave(new URL(baseUrl), { kind: 'owner', allowPrivateNetwork: false }) !== undefined
  const saved = customProviders.all().find((provider) => provider.slug === slug)
  const isSame = saved?.addresses.some((address) => address.baseUrl === baseUrl) ?? false
  const dialects = [{ dialect, base_url: baseUrl }]
  const draft = { slug, name, dialects, auth_scheme: authScheme, allow_private_network: isPrivate }
  return {
    kind: 'provider',
    name: slug,
    detail: `${dialect} at ${baseUrl}${isPrivate ? ', on a private network' : ''}`,
    ...judged(CreateCustomProviderSchema, draft, saved && (isSame ? 'there' : 'clash')),
    create: () => customProviders.create(draft, LOCAL),
  }
}

/** The same credentials are the same account, whatever it is called. `ids` learns where names find it. */
function intentOfAccount(account: FoundAccount, { accounts }: Here, ids: Map<string, string>): Intent {
  const { ref, provider, name, authType, credentials, enabled, priority } = account
  const saved = accounts.all().find((one) => one.account.provider === provider && holds(one.credentials, credentials))
  if (saved !== undefined) ids.set(ref, saved.account.id)
  const draft = { provider, auth_type: authType, credentials: { ...credentials }, enabled, priority }
  const create = async (): Promise<Result<unknown, Refusal>> => {
    const made = await accounts.create({ ...draft, name }, LOCAL, 'import')
    const isNameTaken = !made.ok && made.error.kind === 'conflict' && 'name' in (made.error.errors ?? {})
    const kept = isNameTaken ? await accounts.create(draft, LOCAL, 'import') : made
    if (kept.ok) ids.set(ref, kept.value.account.id)
    return kept
  }
  const key = credentials['api_key'] ?? credentials['secret_access_key']
  return {
    kind: 'account',
    name: name === null ? provider : `${provider} "${name}"`,
    detail: `${key === undefined ? 'without a key' : maskSecret(key)}${enabled ? '' : ', switched off'}`,
    ...judged(CreateAccountSchema, { ...draft, name }, saved && 'there'),
    create,
  }
}

/** An account without credentials is like any other without. */
function holds(saved: Readonly<Record<string, string>> | null, found: FoundAccount['credentials']): boolean {
  if (saved === null) return false
  const entries = Object.entries(found)
  return entries.length === 0
    ? Object.keys(saved).length === 0
    : entries.every(([name, value]) => saved[name] === value)
}

function intentOfAlias(found: FoundName, { aliases }: Here, ids: ReadonlyMap<string, string>): Intent {
  const saved = aliases.all().find(({ alias }) => alias === found.name)
  const { name: alias, strategy, isListed: listed } = found
  const draft = () => ({ alias, strategy, listed, shadow: true, targets: targetsOf(found, ids) })
  return {
    kind: 'alias',
    name: found.name,
    detail: modelsOf(found),
    ...judged(WriteBody, draft(), saved && stateOf(found, saved.targets)),
    create: () => aliases.put(draft(), null, LOCAL),
  }
}

function intentOfChain(found: FoundName, { chains }: Here, ids: ReadonlyMap<string, string>): Intent {
  const saved = chains.all().find(({ slug }) => slug === found.name)
  const draft = () => ({ name: found.name, slug: found.name, strategy: found.strategy, steps: targetsOf(found, ids) })
  return {
    kind: 'chain',
    name: found.name,
    detail: modelsOf(found),
    ...judged(WholeChainBody, draft(), saved && stateOf(found, saved.steps)),
    create: () => chains.create(draft(), LOCAL),
  }
}

/** An account that could not be made leaves its model to the provider's others. */
function targetsOf({ targets }: FoundName, ids: ReadonlyMap<string, string>) {
  return targets.map(({ model, account, weight, priority }) => {
    const id = account === null ? undefined : ids.get(account)
    return { model, weight, priority, account_ids: id === undefined ? null : [id] }
  })
}

function stateOf({ targets }: FoundName, saved: readonly { readonly model: string }[]): 'there' | 'clash' {
  const isSame = saved.length === targets.length && targets.every(({ model }, at) => saved[at]?.model === model)
  return isSame ? 'there' : 'clash'
}

function modelsOf({ strategy, targets }: FoundName): string {
  return `${strategy}: ${targets.map(({ model }) => model).join(', ')}`
}

function intentOfKey({ name, secret, enabled }: FoundKey, { keys }: Here): Intent {
  const draft = { name, secret, status: enabled ? ('active' as const) : ('disabled' as const) }
  const known = keys.find(hashOfSecret(secret)) === undefined ? undefined : 'there'
  const weakness = secretProblem(secret)
  return {
    kind: 'key',
    name,
    detail: `${maskSecret(secret)}${enabled ? '' : ', switched off'}`,
    ...judged(CreateKeyBody, draft, known),
    ...(weakness === undefined
      ? {}
      : { state: 'unfit', problem: `its secret ${weakness}; issue another one to its clients` }),
    create: () => keys.create(draft, actedBy(LOCAL)),
  }
}

/** Makes all that is new, one after the other; what is refused keeps nothing else from being made. */
export async function carryOut(intents: readonly Intent[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const intent of intents) {
    const made = intent.state === 'new' ? await intent.create() : ok(undefined)
    outcomes.push({ intent, refusal: made.ok ? intent.problem : reasonOf(made.error) })
  }
  return outcomes
}

export interface Outcome {
  readonly intent: Intent
  /** Why it could not be made; null otherwise. */
  readonly refusal: string | null
}

function reasonOf({ message, errors = {} }: Refusal): string {
  return Object.keys(errors).length === 0 ? message : wordsOf(errors)
}

function wordsOf(errors: FieldErrors): string {
  return Object.entries(errors)
    .map(([field, reasons]) => `${field} ${reasons.join(', ')}`)
    .join('; ')
}
