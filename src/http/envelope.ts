import { type TSchema, Type } from '@sinclair/typebox'
import { CLOSED } from './closed.ts'

/** Messages per dotted field path. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export interface Single<T> {
  readonly data: T
  readonly metadata: Readonly<Record<string, unknown>>
  readonly message: string
}

export interface ListMetadata {
  readonly total: number
  readonly offset: number
  readonly limit: number
}

export interface List<T> {
  readonly data: T[]
  readonly metadata: ListMetadata
}

export function single<T>(data: T, message = 'ok', metadata: Readonly<Record<string, unknown>> = {}): Single<T> {
  return { data, metadata, message }
}

export function list<T>(items: readonly T[], metadata: ListMetadata): List<T> {
  return { data: [...items], metadata }
}

export function deleted(message: string): { readonly message: string } {
  return { message }
}

/** The schema of `single`; closed, so that a field nobody listed cannot leave. */
export function singleSchema<T extends TSchema>(data: T) {
  return Type.Object({ data, metadata: Type.Record(Type.String(), Type.Unknown()), message: Type.String() }, CLOSED)
}

/** The schema of `list`. */
export function listSchema<T extends TSchema>(item: T) {
  const metadata = Type.Object({ total: Type.Integer(), offset: Type.Integer(), limit: Type.Integer() }, CLOSED)
  return Type.Object({ data: Type.Array(item), metadata }, CLOSED)
}

export const DeletedSchema = Type.Object({ message: Type.String() }, CLOSED)

/** For acts that take no fields: one that is sent all the same is refused, so that nobody trusts what does nothing. */
export const NoFieldsSchema = Type.Object({}, CLOSED)
