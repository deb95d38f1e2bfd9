import { type TSchema, Type } from '@sinclair/typebox'

/** The schema of one word out of a fixed list; unlike the framework's own it brings no default along. */
export function choice<const T extends string>(words: readonly T[]) {
  return Type.Unsafe<T>(Type.Union(words.map((word) => Type.Literal(word))))
}

/** Something, or null for "back to the default". */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** What a write may leave out; null says "back to the default". */
export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(nullable(schema))
}

/** All of `fields` so. */
export function optionalFields<T extends Readonly<Record<string, TSchema>>>(fields: T) {
  const entries = Object.entries(fields).map(([name, schema]) => [name, optional(schema)])
  return Object.fromEntries(entries) as { [K in keyof T]: ReturnType<typeof optional<T[K]>> } // mapping loses the names
}
