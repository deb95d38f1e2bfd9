/** What the form of an alias holds, and what it sends: always the whole alias, since the API replaces it. Pure. */
import { MINUTE_MS } from '../../../core/duration.ts'
import type { Alias, NewAlias } from '../../wire.ts'

export type TargetFields = Alias['targets'][number]

export interface AliasFields extends Omit<
  Alias,
  'id' | 'created_at' | 'updated_at' | 'version' | 'capabilities' | 'expires_at' | 'replaced_by'
> {
  /** As `<input type="datetime-local">` has it, in the viewer's zone; empty: never. */
  readonly expires_at: string
  readonly replaced_by: string
}

export const NEW_ALIAS: AliasFields = {
  alias: '',
  targets: [newTarget('')],
  strategy: 'weighted',
  shadow: false,
  listed: true,
  rewrite_model: true,
  params: {},
  expires_at: '',
  replaced_by: '',
}

export function newTarget(model: string): TargetFields {
  return { model, weight: 1, priority: 0, account_ids: null, enabled: true }
}

export function fieldsOf(alias: Alias): AliasFields {
  const { id: _id, created_at: _made, updated_at: _set, version: _nth, capabilities: _facts, ...fields } = alias
  return {
    ...fields,
    expires_at: alias.expires_at === null ? '' : localTime(new Date(alias.expires_at)),
    replaced_by: alias.replaced_by ?? '',
  }
}

/** `stored`: its time of retirement is sent back as it is, to the second, when nobody has touched it. */
export function draftOf(fields: AliasFields, stored?: Alias): NewAlias {
  const { expires_at, replaced_by, ...same } = fields
  const isSameTime = stored !== undefined && fieldsOf(stored).expires_at === expires_at
  const time = expires_at === '' ? null : new Date(expires_at).toISOString()
  return {
    ...same,
    targets: [...same.targets],
    expires_at: isSameTime ? stored.expires_at : time,
    replaced_by: replaced_by === '' ? null : replaced_by,
  }
}

/** Minutes are as exact as the field is. */
function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/** The share of the requests that each target gets by its weight; those that are off, and all when no weight is left, get none. */
export function sharesOf(targets: readonly TargetFields[]): readonly number[] {
  const weights = targets.map(({ enabled, weight }) => (enabled ? weight : 0))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => (total === 0 ? 0 : weight / total))
}
