import { memberOf, scanObjectAt, valueOf, type ScannedObject, type Splice } from '../../core/json-scan.ts'
import { capOutputAt } from '../output-cap.ts'

/** Thinking by a budget has to leave room for the answer: where it would not, its amount has to be chosen anew. */
export function capOutput(body: ScannedObject, tokensMax: number): readonly Splice[] | undefined {
  const thinking = memberOf(body, 'thinking')
  const inner = thinking && scanObjectAt(body.bytes, thinking.valueStart)
  const budget = inner?.ok === true ? valueOf(inner.value, 'budget_tokens') : undefined
  return typeof budget === 'number' && budget >= tokensMax ? undefined : capOutputAt(body, [['max_tokens']], tokensMax)
}
