/**
 * The sheet of a model: everything that can be said of it, by its wire names, `null` where nothing is said. The catalogue fills
 * one, an override fills another, and what counts is the second laid over the first.
 */
import { type Static, type TOptional, type TSchema, Type } from '@sinclair/typebox'
import { EFFORTS, MODALITIES, SAMPLING_PARAMETERS, THINKING_STYLES, TOOL_CHOICE_MODES } from '../../catalog/provider.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'

const TOKENS_MAX = 100_000_000
const TOOLS_MAX = 10_000
const LIST_MAX = 200
const NAME_LENGTH_MAX = 200
const NOTES_LENGTH_MAX = 2_000

const Tokens = nullable(Type.Integer({ minimum: 1, maximum: TOKENS_MAX }))
const Flag = nullable(Type.Boolean())
const Text = nullable(Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX }))
const words = <const T extends string>(known: readonly T[]) =>
  nullable(Type.Array(choice(known), { uniqueItems: true, maxItems: known.length }))

const thinkingFields = {
  style: nullable(choice(THINKING_STYLES)),
  efforts: words(EFFORTS),
  min_budget: Tokens,
  max_budget: Tokens,
  signature_required: Flag,
}

const SAMPLING_FIELDS = [...SAMPLING_PARAMETERS, 'stop'] as const
const samplingFields = { temperature: Flag, top_p: Flag, top_k: Flag, stop: Flag, seed: Flag, n: Flag }

const plainFields = {
  context_window: Tokens,
  max_input: Tokens,
  max_output: Tokens,
  input_modalities: words(MODALITIES),
  output_modalities: words(MODALITIES),
  tools: Flag,
  parallel_tools: Flag,
  tool_choice_modes: words(TOOL_CHOICE_MODES),
  max_tools: nullable(Type.Integer({ minimum: 1, maximum: TOOLS_MAX })),
  json_mode: Flag,
  json_schema: Flag,
  streaming: Flag,
  stream_usage: Flag,
  system_role: Flag,
  developer_role: Flag,
  prefill: Flag,
  prompt_cache: nullable(choice(['none', 'auto', 'explicit'])),
  cache_min_tokens: Tokens,
  embeddings_dims: nullable(Type.Array(Type.Integer({ minimum: 1, maximum: TOKENS_MAX }), { maxItems: LIST_MAX })),
  voices: nullable(Type.Array(Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX }), { maxItems: LIST_MAX })),
  rerank: Flag,
  deprecated_at: nullable(
    Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T[0-9:.]+(Z|[+-]\\d{2}:\\d{2}))?$', description: 'RFC 3339' }),
  ),
  replaced_by: Text,
  notes: nullable(Type.String({ maxLength: NOTES_LENGTH_MAX })),
}

export const SheetSchema = Type.Object(
  {
    ...plainFields,
    thinking: Type.Object(thinkingFields, CLOSED),
    sampling: Type.Object(samplingFields, CLOSED),
  },
  CLOSED,
)
export type Sheet = Static<typeof SheetSchema>

/** What a write may say: whatever is left out or `null` keeps the catalogue's value. */
export const sheetDraftFields = {
  ...optional(plainFields),
  thinking: Type.Optional(nullable(Type.Object(optional(thinkingFields), CLOSED))),
  sampling: Type.Optional(nullable(Type.Object(optional(samplingFields), CLOSED))),
}
const SheetDraftSchema = Type.Object(sheetDraftFields, CLOSED)
export type SheetDraft = Static<typeof SheetDraftSchema>

type Optionals<T extends Readonly<Record<string, TSchema>>> = {
  [Name in keyof T]: TOptional<T[Name]>
}

function optional<T extends Readonly<Record<string, TSchema>>>(fields: T): Optionals<T> {
  const entries = Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])
  return Object.fromEntries(entries) as Optionals<T>
}

/** Dotted, as errors and sources name them. */
export const SHEET_PATHS: readonly string[] = [
  ...Object.keys(plainFields),
  ...Object.keys(thinkingFields).map((name) => `thinking.${name}`),
  ...SAMPLING_FIELDS.map((name) => `sampling.${name}`),
]

/** Says nothing. */
export const BLANK: Sheet = laidOver(undefined, {})

/** `draft` over `base`, field by field; a `null` of the draft takes the base's word away where `nulls` is `clear`. */
export function laidOver(base: Sheet | undefined, draft: SheetDraft, nulls: 'keep' | 'clear' = 'keep'): Sheet {
  const pick = (mine: unknown, under: unknown): unknown => {
    if (mine === undefined) return under ?? null
    return mine === null && nulls === 'keep' ? (under ?? null) : mine
  }
  const group = (names: readonly string[], mine: object | null | undefined, under: object | undefined): object => {
    const said = mine === null && nulls === 'clear' ? nothing(names) : { ...mine }
    return Object.fromEntries(names.map((name) => [name, pick(member(said, name), under && member(under, name))]))
  }
  const plain = Object.keys(plainFields).map((name) => [name, pick(member(draft, name), base && member(base, name))])
  // Every field is there, with a value that its schema has passed.
  return {
    ...Object.fromEntries(plain),
    thinking: group(Object.keys(thinkingFields), draft.thinking, base?.thinking),
    sampling: group(SAMPLING_FIELDS, draft.sampling, base?.sampling),
  } as Sheet
}

function nothing(names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, null]))
}

function member(holder: object, name: string): unknown {
  return Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined
}

/** The paths of which a sheet says something. */
export function saidPaths(sheet: Sheet): ReadonlySet<string> {
  return new Set(SHEET_PATHS.filter((path) => valueAt(sheet, path) !== null))
}

function valueAt(sheet: Sheet, path: string): unknown {
  const [name = '', inner] = path.split('.')
  const value = member(sheet, name)
  return inner === undefined || typeof value !== 'object' || value === null ? value : member(value, inner)
}
