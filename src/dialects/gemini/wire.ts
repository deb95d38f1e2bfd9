/**
 * The names and shapes of the `generateContent` wire format that more than one file here needs. Only this folder knows them.
 * https://ai.google.dev/api/generate-content and `@google/genai` 3.1.0 (read 2026-11-21).
 */
import type { DialectId } from '../../catalog/dialect-id.ts'
import type { JsonObject } from '../../core/json.ts'
import type { TargetContext } from '../dialect.ts'
import type { FieldReader, Place } from '../field-reader.ts'
import type { NameRule } from '../tools/tool-names.ts'

export const ID = 'gemini' satisfies DialectId

/** Whose opaque state is sent without an envelope: this dialect's clients keep it as it came. */
export const HOME_VENDOR = 'google'

/** A letter or an underscore first; what every version of the API takes. https://ai.google.dev/api/caching (read 2026-11-21) */
export const TOOL_NAME_RULE: NameRule = { illegal: /^[^A-Za-z_]|[^A-Za-z0-9_-]/, lengthMax: 64 }

/**
 * Stands for a signature that was never there, when the model asks for one.
 * https://ai.google.dev/gemini-api/docs/thought-signatures (read 2026-11-21)
 */
export const SKIP_SIGNATURE = 'skip_thought_signature_validator'

export type WirePart = JsonObject

export type WireContent = {
  readonly role: 'user' | 'model'
  readonly parts: readonly WirePart[]
}

/** Models of Gemini 3 and later think by level, want their signatures back and take pictures in the results of tools. */
export function thinksByLevel({ capabilities }: TargetContext): boolean {
  return capabilities.thinking === 'effort'
}

/** Servers take names in snake case, too; here everything is read by its name in the documentation. */
export function camelKeys(object: JsonObject): JsonObject {
  const names = Object.keys(object)
  if (!names.some((name) => name.includes('_'))) return object
  const renamed = names.filter((name) => name.includes('_')).map((name) => [camelCase(name), object[name]] as const)
  const plain = names.filter((name) => !name.includes('_')).map((name) => [name, object[name]] as const)
  return Object.fromEntries([...renamed, ...plain])
}

export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The object under `name` with its keys in camel case; undefined when absent or null. */
export function member(reader: FieldReader, place: Place, name: string): Place | undefined {
  const found = reader.object(place, name)
  return found && { ...found, object: camelKeys(found.object) }
}

/** The objects of a list with their keys in camel case; empty when absent or null. */
export function members(reader: FieldReader, place: Place, name: string): readonly Place[] {
  return (reader.objects(place, name) ?? []).map((found) => ({ ...found, object: camelKeys(found.object) }))
}

/** Names in `place` that are not `known` and have a value, as the client may look them up. */
export function unknownIn(place: Place, known: ReadonlySet<string>, prefix: string): readonly string[] {
  const names = Object.keys(place.object).filter((name) => !known.has(name) && (place.object[name] ?? null) !== null)
  return names.map((name) => prefix + name)
}
