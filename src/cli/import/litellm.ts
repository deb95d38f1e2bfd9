/**
 * LiteLLM's proxy configuration: deployments in groups by the name that clients ask for, fallbacks from group to group, credentials
 * that several share.
 * https://docs.litellm.ai/docs/proxy/configs and /docs/proxy/reliability (read 2026-11-21)
 */
import { asArray, asObject, asString, type Json, type JsonObject } from '../../core/json.ts'
import {
  type Found,
  type FoundKey,
  type FoundName,
  type FoundTarget,
  type LeftOut,
  slugOf,
  TARGETS_MAX,
  type Variables,
} from './found.ts'
import { type Deployment, Deployments } from './litellm-deployments.ts'
import { unreadIn } from './litellm-settings.ts'
import { filled, missingVariable, resolved, textOf } from './litellm-variables.ts'

/** Chains answer to such names by themselves. */
const SLUG = /^[a-z0-9][a-z0-9._-]{0,62}$/
const SLUG_LENGTH_MAX = 50
/** What model groups are chosen by there, and the nearest here. */
const STRATEGIES: Readonly<Record<string, FoundName['strategy']>> = {
  'simple-shuffle': 'weighted',
  'least-busy': 'least_busy',
  'latency-based-routing': 'lowest_latency',
  'cost-based-routing': 'lowest_cost',
  'usage-based-routing': 'quota_aware',
  'usage-based-routing-v2': 'quota_aware',
}

export function readLitellm(root: JsonObject, variables: Variables): Found {
  const all = { ...filled(variablesIn(root)), ...filled(variables) }
  const deployments = new Deployments(all, credentialsIn(root))
  for (const entry of asArray(root['model_list']) ?? []) deployments.add(asObject(entry) ?? {})
  const router = asObject(root['router_settings']) ?? {}
  const groups = Map.groupBy(deployments.all, ({ group }) => group)
  const fallbacks = fallbacksOf(router, asObject(root['litellm_settings']) ?? {})
  const names = new Names(groups, deployments, STRATEGIES[asString(router['routing_strategy']) ?? ''] ?? 'weighted')
  for (const group of groups.keys()) names.add(group, fallbacks.get(group) ?? [])
  names.alias(asObject(router['model_group_alias']) ?? {})
  const key = masterKeyOf(asObject(root['general_settings']) ?? {}, all)
  return {
    source: 'a LiteLLM configuration',
    providers: deployments.providers,
    accounts: deployments.accounts,
    names: names.found,
    keys: key.keys,
    leftOut: [...deployments.leftOut, ...names.leftOut, ...key.leftOut, ...unreadIn(root)],
  }
}

/** Makes names of groups: an alias of its deployments, or where it falls back on others a chain through all of them. */
class Names {
  readonly found: FoundName[] = []
  readonly leftOut: LeftOut[] = []
  readonly #groups: ReadonlyMap<string, readonly Deployment[]>
  readonly #deployments: Deployments
  readonly #strategy: FoundName['strategy']
  /** What clients of this program write for a group. */
  readonly #public = new Map<string, string>()

  constructor(
    groups: ReadonlyMap<string, readonly Deployment[]>,
    deployments: Deployments,
    strategy: FoundName['strategy'],
  ) {
    this.#groups = groups
    this.#deployments = deployments
    this.#strategy = strategy
  }

  add(group: string, fallbacks: readonly string[]): void {
    const lost = fallbacks.filter((name) => !this.#groups.has(name))
    for (const name of lost)
      this.leftOut.push({ what: `the fallback of ${group} to ${name}`, why: 'no such model is taken over' })
    const known = fallbacks.filter((name) => this.#groups.has(name))
    const tiers = [group, ...known].map((name) => this.#groups.get(name) ?? [])
    const targets = tiers.flatMap((tier, priority) => tier.map((one) => this.#targetOf(one, priority)))
    if (targets.length > TARGETS_MAX) {
      this.leftOut.push({
        what: group,
        why: `has ${targets.length} deployments; a name stands for at most ${TARGETS_MAX}`,
      })
    } else if (known.length > 0) this.#addChain(group, targets)
    else this.#addAlias(group, targets)
  }

  /** Further names of groups: `{name: group}`, or `{name: {model: group}}`. */
  alias(aliases: JsonObject): void {
    for (const [name, value] of Object.entries(aliases)) {
      const group = asString(value) ?? asString(asObject(value)?.['model']) ?? ''
      const model = this.#public.get(group)
      if (model === undefined) this.leftOut.push({ what: `the alias ${name}`, why: `${group} is not taken over` })
      else this.found.push({ ...aliasOf(name, this.#strategy, [oneTarget(model)]), isListed: !isHidden(value) })
    }
  }

  /** What is asked for by its own name needs none. */
  #addAlias(group: string, targets: readonly FoundTarget[]): void {
    this.#public.set(group, group)
    const [only] = targets
    if (targets.length === 1 && only?.model === group) return
    this.found.push(aliasOf(group, this.#strategy, targets))
  }

  #addChain(group: string, targets: readonly FoundTarget[]): void {
    const isSlug = SLUG.test(group)
    const slug = isSlug ? group : `${slugOf(group, SLUG_LENGTH_MAX)}-fallback`
    this.#public.set(group, isSlug ? `chain/${slug}` : group)
    this.found.push({ kind: 'chain', name: slug, strategy: 'priority', targets, isListed: true })
    if (!isSlug) this.found.push(aliasOf(group, 'weighted', [oneTarget(`chain/${slug}`)]))
  }

  #targetOf({ model, account, weight }: Deployment, priority: number): FoundTarget {
    return { model, account: this.#deployments.isOneOfMany(account) ? account : null, weight, priority }
  }
}

function aliasOf(name: string, strategy: FoundName['strategy'], targets: readonly FoundTarget[]): FoundName {
  return { kind: 'alias', name, strategy, targets, isListed: true }
}

function oneTarget(model: string): FoundTarget {
  return { model, account: null, weight: 1, priority: 0 }
}

/** It can be asked for, and lists of models leave it out. */
function isHidden(alias: Json | undefined): boolean {
  return asObject(alias)?.['hidden'] === true
}

function variablesIn(root: JsonObject): Variables {
  const own = Object.entries(asObject(root['environment_variables']) ?? {})
  return Object.fromEntries(own.map(([name, value]) => [name, textOf(value)]))
}

/** Parameters that deployments share, by the name under which they ask for them. */
function credentialsIn(root: JsonObject): ReadonlyMap<string, JsonObject> {
  const entries = (asArray(root['credential_list']) ?? []).map((entry) => asObject(entry) ?? {})
  return new Map(
    entries.map((entry) => [asString(entry['credential_name']) ?? '', asObject(entry['credential_values']) ?? {}]),
  )
}

/** Lists of `{group: [groups]}`, in either of two places. */
function fallbacksOf(router: JsonObject, library: JsonObject): ReadonlyMap<string, readonly string[]> {
  const entries = [...(asArray(library['fallbacks']) ?? []), ...(asArray(router['fallbacks']) ?? [])]
  return new Map(
    entries.flatMap((entry) =>
      Object.entries(asObject(entry) ?? {}).map(([group, others]) => {
        const names = (asArray(others) ?? []).flatMap((name) => asString(name) ?? [])
        return [group, names] as const
      }),
    ),
  )
}

/** Its clients may go on with the key that they have. */
function masterKeyOf(
  general: JsonObject,
  variables: Variables,
): { keys: readonly FoundKey[]; leftOut: readonly LeftOut[] } {
  const written = asString(general['master_key'])
  if (written === undefined) return { keys: [], leftOut: [] }
  const secret = resolved(written, variables)
  if (secret !== undefined) return { keys: [{ name: 'LiteLLM master key', secret, enabled: true }], leftOut: [] }
  return { keys: [], leftOut: [{ what: 'the master key', why: missingVariable(written) }] }
}
