import { failure, type Failure } from '../../core/failure.ts'
import { insertMember, memberOf, replaceValue, type ScannedObject, type Splice, valueOf } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'

/**
 * The format has no system prompt. Since its bodies are always translated, the text travels in a field of our own, `system`,
 * which a client may use, too. Failure: `malformed`.
 */
export function appendSystem(body: ScannedObject, text: string): Result<readonly Splice[], Failure> {
  const member = memberOf(body, 'system')
  if (member === undefined) return ok([insertMember(body, 'system', JSON.stringify(text))])
  const own = valueOf(body, 'system') ?? ''
  if (typeof own !== 'string') return err(failure('malformed', 'system: must be a string.', { param: 'system' }))
  return ok([replaceValue(member, JSON.stringify(own === '' ? text : `${own}\n\n${text}`))])
}
