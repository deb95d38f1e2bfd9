import { countText } from '../../format/count.ts'
import { durationText } from '../../format/time.ts'
import type { Settings, SettingsChange } from '../../wire.ts'
import { FIELDS, type SettingField } from './fields.ts'

/** What a control holds: numbers are text while they are typed, a price is two of them. */
export type SettingValue = string | boolean | readonly string[]
/** By dotted path. */
export type SettingValues = Readonly<Record<string, SettingValue>>

export function valuesOf(settings: Settings): SettingValues {
  return Object.fromEntries(FIELDS.map((field) => [field.path, valueOf(leafOf(settings, field.path))]))
}

const PRICE_PARTS = ['input', 'output'] as const

function leafOf(settings: Settings, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isGroup(at) ? at[name] : undefined), settings)
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function valueOf(leaf: unknown): SettingValue {
  if (typeof leaf === 'boolean') return leaf
  if (Array.isArray(leaf)) return leaf.map(String)
  if (isGroup(leaf)) return PRICE_PARTS.map((part) => String(leaf[part]))
  return leaf === null || leaf === undefined ? '' : String(leaf)
}

export function standardOf({ standard }: SettingField): SettingValue {
  return valueOf(standard)
}

/** Would saving it leave the default in force? An empty number means that, too. */
export function isStandard(field: SettingField, value: SettingValue): boolean {
  return wireOf(field, value) === null
}

/** The body of a PATCH. */
export function draftOf(changes: Partial<SettingValues>): SettingsChange {
  const draft: Record<string, unknown> = {}
  for (const field of FIELDS) {
    const value = changes[field.path]
    if (value !== undefined) place(draft, field.path.split('.'), wireOf(field, value))
  }
  return draft as SettingsChange // the paths are the schema's, which a test holds them to; values are the server's to judge
}

/** `null` resets. What is no number goes as it was typed, for the server to say so. */
function wireOf(field: SettingField, value: SettingValue): unknown {
  if (value === '' || JSON.stringify(value) === JSON.stringify(standardOf(field))) return null
  if (field.kind === 'price') return priceOf(value)
  if (field.kind !== 'number' || typeof value !== 'string') return value
  const number = Number(value)
  if (Number.isNaN(number)) return value
  return number === field.standard ? null : number
}

/** A half that is missing or no number goes as it is, for the server to say so. */
function priceOf(value: SettingValue): unknown {
  if (!Array.isArray(value) || value.every((text) => text === '')) return null
  const amount = (text = ''): unknown => (text === '' || Number.isNaN(Number(text)) ? text : Number(text))
  return Object.fromEntries(PRICE_PARTS.map((part, at) => [part, amount(value[at])]))
}

function place(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const known = into[name]
  const group = isGroup(known) ? known : {}
  into[name] = group
  place(group, rest, value)
}

/** `32 MiB`, `180,000 ms (3 min 00 s)`, `on`, `none`. */
export function valueText(field: SettingField, value: SettingValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (field.kind === 'price') return priceText(value)
  if (typeof value !== 'string') return value.length === 0 ? 'none' : value.map((one) => labelOf(field, one)).join(', ')
  if (field.kind === 'choice') return labelOf(field, value)
  if (value === '') return field.standard === null ? 'none' : valueText(field, standardOf(field))
  const number = Number(value)
  if (field.kind !== 'number' || Number.isNaN(number)) return value
  const text = `${countText(number)} ${field.unit}`
  return field.unit === 'ms' ? `${text} (${durationText(number)})` : text
}

function priceText(value: SettingValue): string {
  if (!Array.isArray(value) || value.every((text) => text === '')) return 'none'
  return `$${value[0] || '–'} in, $${value[1] || '–'} out`
}

function labelOf(field: SettingField, value: string): string {
  const options = field.kind === 'choice' || field.kind === 'choices' ? field.options : []
  return options.find((option) => option.value === value)?.label ?? value
}
