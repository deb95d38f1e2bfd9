/** What can be said of a model, in the order and the words of its page. */
import type { Capabilities, CapabilityDraft } from '../../wire.ts'

export interface FactField {
  /** As the API names it, dotted. */
  readonly path: string
  readonly label: string
  readonly kind: 'flag' | 'number' | 'words' | 'numbers' | 'choice' | 'text'
  /** For `choice` and `words`: what can be said. */
  readonly options?: readonly string[]
  readonly hint?: string
}

export interface FactGroup {
  readonly title: string
  readonly fields: readonly FactField[]
}

const MODALITIES = ['text', 'image', 'audio', 'video', 'pdf']

export const GROUPS: readonly FactGroup[] = [
  {
    title: 'Size',
    fields: [
      { path: 'context_window', label: 'Context window', kind: 'number', hint: 'Tokens; model lists show it.' },
      { path: 'max_input', label: 'Longest input', kind: 'number', hint: 'Tokens.' },
      { path: 'max_output', label: 'Longest answer', kind: 'number', hint: 'Tokens; longer limits are cut to this.' },
    ],
  },
  {
    title: 'Input and output',
    fields: [
      { path: 'input_modalities', label: 'Takes', kind: 'words', options: MODALITIES },
      { path: 'output_modalities', label: 'Gives', kind: 'words', options: MODALITIES },
      {
        path: 'system_role',
        label: 'System instructions',
        kind: 'flag',
        hint: 'Without, they open the first message.',
      },
      { path: 'developer_role', label: 'Developer role', kind: 'flag' },
      { path: 'prefill', label: 'Begun answers', kind: 'flag' },
      { path: 'streaming', label: 'Streams', kind: 'flag' },
      { path: 'stream_usage', label: 'Usage in streams', kind: 'flag' },
    ],
  },
  {
    title: 'Tools and structured answers',
    fields: [
      { path: 'tools', label: 'Tools', kind: 'flag' },
      { path: 'parallel_tools', label: 'Parallel calls', kind: 'flag' },
      {
        path: 'tool_choice_modes',
        label: 'Tool choice',
        kind: 'words',
        options: ['auto', 'none', 'required', 'named'],
      },
      { path: 'max_tools', label: 'Most tools', kind: 'number' },
      { path: 'json_mode', label: 'JSON objects', kind: 'flag' },
      { path: 'json_schema', label: 'JSON schemas', kind: 'flag', hint: 'Without, a tool or words stand in for it.' },
    ],
  },
  {
    title: 'Thinking',
    fields: [
      {
        path: 'thinking.style',
        label: 'Thinking',
        kind: 'choice',
        options: ['none', 'budget', 'adaptive', 'effort', 'always'],
      },
      {
        path: 'thinking.efforts',
        label: 'Efforts',
        kind: 'words',
        options: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
      },
      { path: 'thinking.min_budget', label: 'Smallest budget', kind: 'number', hint: 'Tokens.' },
      { path: 'thinking.max_budget', label: 'Largest budget', kind: 'number', hint: 'Tokens.' },
      { path: 'thinking.signature_required', label: 'Signatures needed', kind: 'flag' },
    ],
  },
  {
    title: 'Sampling and cache',
    fields: [
      { path: 'sampling.temperature', label: 'Temperature', kind: 'flag' },
      { path: 'sampling.top_p', label: 'Top p', kind: 'flag' },
      { path: 'sampling.top_k', label: 'Top k', kind: 'flag' },
      { path: 'sampling.stop', label: 'Stop sequences', kind: 'flag' },
      { path: 'sampling.seed', label: 'Seed', kind: 'flag' },
      { path: 'sampling.n', label: 'Several answers', kind: 'flag' },
      { path: 'prompt_cache', label: 'Prompt cache', kind: 'choice', options: ['none', 'auto', 'explicit'] },
      { path: 'cache_min_tokens', label: 'Cached from', kind: 'number', hint: 'Tokens.' },
    ],
  },
  {
    title: 'Other',
    fields: [
      { path: 'embeddings_dims', label: 'Embedding sizes', kind: 'numbers' },
      { path: 'voices', label: 'Voices', kind: 'words' },
      { path: 'rerank', label: 'Reranks', kind: 'flag' },
      { path: 'deprecated_at', label: 'Retired on', kind: 'text', hint: 'Such as 2027-03-31.' },
      { path: 'replaced_by', label: 'Replaced by', kind: 'text' },
      { path: 'notes', label: 'Notes', kind: 'text' },
    ],
  },
]

type Sheet = Capabilities['effective']

/** What the form holds: text for one value, a list for several; empty keeps the catalogue's. */
export type FactValues = Readonly<Record<string, string | readonly string[]>>

export function valuesOf(override: Sheet | null): FactValues {
  const fields = GROUPS.flatMap((group) => group.fields)
  return Object.fromEntries(fields.map((field) => [field.path, valueOf(field, override)]))
}

function valueOf({ path, kind }: FactField, sheet: Sheet | null): string | readonly string[] {
  const said = sheet === null ? null : saidAt(sheet, path)
  if (kind === 'words' || kind === 'numbers') return Array.isArray(said) ? said.map(String) : []
  return said === null || said === undefined ? '' : String(said)
}

export function draftOf(values: FactValues): CapabilityDraft {
  const draft: Record<string, unknown> = {}
  for (const field of GROUPS.flatMap((group) => group.fields)) {
    const value = wireOf(field, values[field.path] ?? '')
    const [name = '', inner] = field.path.split('.')
    if (value === null) continue
    if (inner === undefined) draft[name] = value
    else draft[name] = { ...(draft[name] as object | undefined), [inner]: value }
  }
  return draft as CapabilityDraft // the server judges it field by field
}

function wireOf({ kind }: FactField, value: string | readonly string[]): unknown {
  if (value.length === 0) return null
  if (typeof value !== 'string') return kind === 'numbers' ? value.map(Number) : value
  if (kind === 'flag') return value === 'true'
  const number = Number(value)
  return kind === 'number' && !Number.isNaN(number) ? number : value
}

export function saidAt(sheet: Sheet, path: string): unknown {
  const [name = '', inner] = path.split('.')
  const value: unknown = Reflect.get(sheet, name)
  return inner === undefined || typeof value !== 'object' || value === null ? value : Reflect.get(value, inner)
}

/** As people read it. */
export function factText(value: unknown): string {
  if (value === null || value === undefined) return 'not known'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return value.toLocaleString('en')
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return String(value)
}

const SOURCES: Readonly<Record<string, string>> = {
  default: 'assumed',
  catalog: 'catalogue',
  family: 'model family',
  host: 'provider',
  synced: 'provider’s list',
  static: 'our list',
  override: 'override',
}

export function sourceText(source: string | undefined): string {
  return source === undefined ? '' : (SOURCES[source] ?? source)
}
