import {
  insertMember,
  memberOf,
  parseRange,
  replaceValue,
  scanObjectAt,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'

export interface UsageAsked {
  readonly splices: readonly Splice[]
  readonly added: boolean
}

const ASKED: UsageAsked = { splices: [], added: false }

/** A stream of this format reports its usage only when asked. A value of a wrong type is left for the host to refuse. */
export function askForUsage(body: ScannedObject): UsageAsked {
  const stream = memberOf(body, 'stream')
  if (stream === undefined || read(body, stream) !== true) return ASKED
  const options = memberOf(body, 'stream_options')
  if (options === undefined) return added(insertMember(body, 'stream_options', '{"include_usage":true}'))
  if (read(body, options) === null) return added(replaceValue(options, '{"include_usage":true}'))
  const scanned = scanObjectAt(body.bytes, options.valueStart)
  if (!scanned.ok) return ASKED
  const wish = memberOf(scanned.value, 'include_usage')
  if (wish === undefined) return added(insertMember(scanned.value, 'include_usage', 'true'))
  const value = read(body, wish)
  return value === false || value === null ? added(replaceValue(wish, 'true')) : ASKED
}

function read(body: ScannedObject, member: { readonly valueStart: number; readonly valueEnd: number }): unknown {
  return parseRange(body.bytes, { start: member.valueStart, end: member.valueEnd })
}

function added(splice: Splice): UsageAsked {
  return { splices: [splice], added: true }
}
