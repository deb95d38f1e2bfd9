import type { TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import type { FieldErrors } from './envelope.ts'
import { plainWords } from './plain-words.ts'

const FIELDS_MAX = 50
const ROOT = 'body'

/** Messages by dotted path, the first for each field, at most 50 fields. Values that were sent are never repeated. */
export function fieldErrors(errors: Iterable<ValueError>): FieldErrors {
  const fields = new Map<string, string[]>()
  for (const error of judged(errors)) {
    const { path, message } = describe(error)
    if (!fields.has(path)) fields.set(path, [message])
    if (fields.size === FIELDS_MAX) break
  }
  return Object.fromEntries(fields)
}

/** A body that may be one thing or a list of them is judged as what it is. */
function* judged(errors: Iterable<ValueError>): Iterable<ValueError> {
  for (const error of errors) {
    const variants: readonly TSchema[] = error.path === '' ? (error.schema['anyOf'] ?? []) : []
    const wanted = Array.isArray(error.value) ? 'array' : 'object'
    const inner = error.errors[variants.findIndex(({ type }) => type === wanted)]
    if (inner === undefined) yield error
    else yield* inner
  }
}

interface Described {
  readonly path: string
  readonly message: string
}

function describe(error: ValueError): Described {
  const path = dotted(error.path)
  if (error.type === ValueErrorType.Union) return describeUnion(error, path)
  return { path, message: plainWords(error) }
}

/** A choice of words lists them; something or null is judged as the something. */
function describeUnion(error: ValueError, path: string): Described {
  const variants: readonly TSchema[] = error.schema['anyOf'] ?? []
  const words = variants.flatMap((variant) => (variant['const'] === undefined ? [] : [String(variant['const'])]))
  if (words.length > 0) return { path, message: `must be one of ${words.join(', ')}` }
  const index = variants.findIndex((variant) => variant['type'] !== 'null')
  const [first] = error.errors[index] ?? []
  return first === undefined ? { path, message: 'has the wrong type' } : describe(first)
}

/** `/tags/a~1b` → `tags.a/b`. */
function dotted(pointer: string): string {
  if (pointer === '') return ROOT
  const parts = pointer.slice(1).split('/')
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
}
