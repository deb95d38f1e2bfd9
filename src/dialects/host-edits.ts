/** A body as the endpoint's host takes it, where that host differs from the maker of the format. */
import type { ProviderEndpoint } from '../catalog/provider.ts'
import type { Failure } from '../core/failure.ts'
import { applySplices, scanObject, type ScannedObject } from '../core/json-scan.ts'
import { ok, type Result } from '../core/result.ts'
import type { HostEdits } from './dialect.ts'
import { dialectOf } from './index.ts'

type SentHeaders = Readonly<Record<string, string>>

const AS_THE_MAKER: HostEdits = { splices: [], dropped: [], headers: [] }

/** Failure: `unsupported`. */
export function hostEdits(
  { dialect, quirks }: ProviderEndpoint,
  body: ScannedObject,
  headers: SentHeaders,
): Result<HostEdits, Failure> {
  return dialectOf(dialect).hostEdits?.(body, quirks, new Headers(headers)) ?? ok(AS_THE_MAKER)
}

/** A body that was encoded here. Failure: `unsupported`. */
export function hosted(
  endpoint: ProviderEndpoint,
  body: Uint8Array,
  headers: SentHeaders,
): Result<{ readonly body: Uint8Array } & Omit<HostEdits, 'splices'>, Failure> {
  if (dialectOf(endpoint.dialect).hostEdits === undefined) return ok({ body, ...AS_THE_MAKER })
  const scanned = scanObject(body)
  if (!scanned.ok) return scanned
  const edits = hostEdits(endpoint, scanned.value, headers)
  if (!edits.ok) return edits
  const { splices, ...others } = edits.value
  return ok({ body: applySplices(body, splices), ...others })
}

/** `headers` with those that the host wants otherwise. */
export function hostedHeaders(headers: SentHeaders, { headers: changed }: Pick<HostEdits, 'headers'>): SentHeaders {
  if (changed.length === 0) return headers
  const names = new Set(changed.map(([name]) => name))
  const kept = Object.entries(headers).filter(([name]) => !names.has(name))
  const given = changed.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)
  return Object.fromEntries([...kept, ...given])
}
