/** A parsed JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asString(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asNumber(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function asArray(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? value : undefined
}

export function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}
