import { Secret } from './secret.ts'

/**
 * Whether two values say the same: records field by field in any order, where a field that is undefined is as good as absent; lists in
 * order; secrets by what they hold, which no other comparison sees. For plain data: of other classes only the fields count.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Secret && b instanceof Secret) return a.reveal() === b.reveal()
  if (!isObject(a) || !isObject(b)) return Object.is(a, b)
  if (Array.isArray(a) !== Array.isArray(b) || a instanceof Secret !== b instanceof Secret) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => isSame(a[name], b[name]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
