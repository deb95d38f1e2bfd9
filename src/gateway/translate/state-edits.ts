/**
 * Vendor state in a body that passes through. What stands in an envelope of ours is unwrapped for its own maker and left out for
 * any other; what the target is known to refuse is left out as well. All other bytes stay as the client wrote them.
 */
import { bufferOf, doOverlap, type Splice } from '../../core/json-scan.ts'
import type { IsRefused, PassThrough } from '../../dialects/dialect.ts'
import { unsealedFor } from '../../dialects/opaque.ts'
import type { Exchange } from '../exchange.ts'

export interface StateEdits {
  readonly splices: readonly Splice[]
  /** Some thinking was left out, or switched off because the conversation lacks it. */
  readonly isLess: boolean
}

/** How an envelope begins, plain and encoded as bytes are. A text may say the same: then nothing is found to edit. */
const ENVELOPE_MARKS = [Buffer.from('"gw1:'), Buffer.from('"Z3cxO')]
const UNTOUCHED: StateEdits = { splices: [], isLess: false }

/** Undefined when edits do not reach the state, so that the body has to be translated. */
export function stateEdits(
  { body: { scanned }, injected }: Pick<Exchange, 'body' | 'injected'>,
  vendor: string,
  native: PassThrough,
  isRefused: IsRefused | undefined,
): StateEdits | undefined {
  const isSealed = ENVELOPE_MARKS.some((mark) => bufferOf(scanned.bytes).includes(mark))
  if (!isSealed && isRefused === undefined) return UNTOUCHED
  if (native.editState === undefined) return isSealed ? undefined : UNTOUCHED
  let isLess = false
  const splices = native.editState(scanned, (blob, kind) => {
    const own = unsealedFor(vendor, blob, kind)
    if (own !== undefined && isRefused?.(own) !== true) return own
    isLess = true
    return undefined
  })
  // What is not sealed changes only by leaving something out.
  return doOverlap(splices, injected) ? undefined : { splices, isLess: isLess || (!isSealed && splices.length > 0) }
}
