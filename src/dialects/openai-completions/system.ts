import { insertMember, memberOf, replaceValue, type ScannedObject, valueOf } from '../../core/json-scan.ts'
import { ok } from '../../core/result.ts'
import { malformed, type Spliced } from '../system-splices.ts'

/**
 * The format has no system prompt. Since its bodies are always translated, the text travels in a field of our own, `system`,
 * which a client may use, too. Failure: `malformed`.
 */
export function appendSystem(body: ScannedObject, text: string): Spliced {
  const member = memberOf(body, 'system')
  if (member === undefined) return ok([insertMember(body, 'system', JSON.stringify(text))])
  const own = valueOf(body, 'system') ?? ''
  if (typeof own !== 'string') return malformed('system', 'must be a string')
  return ok([replaceValue(member, JSON.stringify(own === '' ? text : `${own}\n\n${text}`))])
}
