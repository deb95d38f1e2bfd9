import { Type } from '@sinclair/typebox'

/** The schema of one word out of a fixed list; unlike the framework's own it brings no default along. */
export function choice<const T extends string>(words: readonly T[]) {
  return Type.Unsafe<T>(Type.Union(words.map((word) => Type.Literal(word))))
}

/** Something, or null for "back to the default". */
export function nullable<T extends Parameters<typeof Type.Union>[0][number]>(schema: T) {
  return Type.Union([schema, Type.Null()])
}
