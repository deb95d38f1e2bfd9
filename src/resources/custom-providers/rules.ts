/** From what was sent to a provider's rules: defaults, what a schema cannot say, and fields that depend on one another. */
import type { FixedValues, ModelSpec } from '../../catalog/provider.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { USUAL_PARAMETER } from '../../outbound/credentials/query-key.ts'
import { isSendable } from '../../outbound/request-headers.ts'
import { readDataPolicy } from '../providers/data-policy.ts'
import { addressesToWire, leavesOrigins, readAddresses, type Addresses } from './addresses.ts'
import type { Address, CustomProviderRules } from './custom-provider.ts'
import type { ProviderDraft } from './fields.ts'
import {
  headerProblem,
  lowerCased,
  parameterProblem,
  readFixedValues,
  withoutSecrets,
  type FixedValuesDraft,
  type NameProblem,
} from './fixed-values.ts'
import { readModels } from './models.ts'
import { readQuirks } from './quirks.ts'
import { keyHeaderOf } from './spec.ts'

/** Rules that may lack an address yet. */
export type BaseRules = Omit<CustomProviderRules, 'addresses'> & { readonly addresses: readonly Address[] }

/** Everything that a new provider has unless told otherwise. */
export function defaultRules(name: string): BaseRules {
  return {
    name,
    addresses: [],
    authScheme: 'bearer',
    authHeader: null,
    authPrefix: null,
    headers: {},
    query: {},
    capabilities: ['chat'],
    paths: {},
    modelsMode: 'fetch',
    models: [],
    quirks: {},
    allowPrivateNetwork: false,
    proxyPoolId: null,
    regions: [],
    dataPolicy: {},
  }
}

/** Where a write begins. */
export interface Start {
  /** What holds where nothing was sent: the provider as it is for a PATCH, the defaults otherwise. */
  readonly base: BaseRules
  /** What `null` means. */
  readonly defaults: BaseRules
  /** The provider whose secrets masks stand for; null when there is none. */
  readonly saved: CustomProviderRules | null
}

/** The rules after a write. Secrets stay only as long as every origin is one that they were given for. */
export function readRules(draft: ProviderDraft, start: Start): Result<CustomProviderRules, FieldErrors> {
  const { base, defaults, saved } = start
  const allowPrivateNetwork = picked(draft.allow_private_network, base, defaults, 'allowPrivateNetwork')
  const addresses = readAddresses(draft.dialects ?? addressesToWire(base.addresses), allowPrivateNetwork)
  const keepSecrets = addresses.ok && saved !== null && !leavesOrigins(saved.addresses, addresses.value)
  const headers = readValues('headers', draft.headers && lowerCased(draft.headers), headerProblem, start, keepSecrets)
  const query = readValues('query', draft.query, parameterProblem, start, keepSecrets)
  const models = draft.models ? readModels(draft.models) : ok(draft.models === null ? defaults.models : base.models)
  const errors = { ...errorsOf(addresses), ...errorsOf(headers), ...errorsOf(query), ...errorsOf(models) }
  if (!addresses.ok || !headers.ok || !query.ok || !models.ok) return err(errors)
  const rules = {
    ...plainRules(draft, base, defaults),
    allowPrivateNetwork,
    addresses: addresses.value,
    headers: headers.value,
    query: query.value,
    models: models.value,
  }
  const problems = problemsOf(rules)
  return Object.keys(problems).length === 0 ? ok(rules) : err(problems)
}

type Judged = 'addresses' | 'headers' | 'query' | 'models' | 'allowPrivateNetwork'

function plainRules(draft: ProviderDraft, base: BaseRules, defaults: BaseRules): Omit<CustomProviderRules, Judged> {
  return {
    name: picked(draft.name?.trim() ?? draft.name, base, defaults, 'name'),
    authScheme: picked(draft.auth_scheme, base, defaults, 'authScheme'),
    authHeader: picked(keyName(draft), base, defaults, 'authHeader'),
    authPrefix: picked(draft.auth_prefix, base, defaults, 'authPrefix'),
    capabilities: picked(draft.capabilities && [...new Set(draft.capabilities)], base, defaults, 'capabilities'),
    paths: picked(draft.paths, base, defaults, 'paths'),
    modelsMode: picked(draft.models_mode, base, defaults, 'modelsMode'),
    proxyPoolId: picked(draft.proxy_pool_id, base, defaults, 'proxyPoolId'),
    regions: picked(draft.regions && [...new Set(draft.regions)], base, defaults, 'regions'),
    dataPolicy: picked(draft.data_policy && readDataPolicy(draft.data_policy), base, defaults, 'dataPolicy'),
    quirks: picked(draft.quirks && readQuirks(draft.quirks), base, defaults, 'quirks'),
  }
}

/** Headers have no case, parameters do. */
function keyName({ auth_header, auth_scheme }: ProviderDraft): string | null | undefined {
  return auth_scheme === 'query' ? auth_header : (auth_header?.toLowerCase() ?? auth_header)
}

function picked<Field extends keyof BaseRules>(
  sent: BaseRules[Field] | null | undefined,
  base: BaseRules,
  defaults: BaseRules,
  field: Field,
): BaseRules[Field] {
  if (sent === undefined) return base[field]
  return sent ?? defaults[field]
}

function readValues(
  field: 'headers' | 'query',
  draft: FixedValuesDraft | null | undefined,
  nameProblem: NameProblem,
  { base, defaults, saved }: Start,
  keepSecrets: boolean,
): Result<FixedValues, FieldErrors> {
  if (draft === null) return ok(defaults[field])
  if (draft === undefined) return ok(keepSecrets ? base[field] : withoutSecrets(base[field]))
  return readFixedValues(field, draft, { values: saved?.[field] ?? {}, keepSecrets }, nameProblem)
}

function errorsOf(result: Result<Addresses | FixedValues | readonly ModelSpec[], FieldErrors>): FieldErrors {
  return result.ok ? {} : result.error
}

function problemsOf(rules: CustomProviderRules): FieldErrors {
  const key = keyHeaderOf(rules)
  const collides = key !== null && Object.hasOwn(rules.headers, key.name)
  const isInQuery = rules.authScheme === 'query'
  const parameter = rules.authHeader ?? USUAL_PARAMETER
  const listsForNothing = rules.modelsMode === 'fetch' && rules.models.length > 0
  const { zdr, retentionDays = 0 } = rules.dataPolicy
  return {
    ...(key === null || isSendable(key.name) ? {} : { auth_header: ['is a header that cannot be set here'] }),
    ...(isInQuery && rules.authPrefix !== null ? { auth_prefix: ['goes with a header alone'] } : {}),
    ...(isInQuery && Object.hasOwn(rules.query, parameter)
      ? { [`query.${parameter}`]: ['is where the key of an account goes'] }
      : {}),
    ...(collides ? { [`headers.${key.name}`]: ['is where the key of an account goes'] } : {}),
    ...(rules.capabilities.includes('chat')
      ? {}
      : { capabilities: ['must hold chat: this build serves nothing else'] }),
    ...(listsForNothing ? { models: ['are listed only with models_mode static or both'] } : {}),
    ...(zdr === true && retentionDays > 0
      ? { 'data_policy.zdr': ['cannot be true while requests are kept for days'] }
      : {}),
  }
}
