/** What the form for a price holds, and what is sent of it. Texts are kept as they are typed; empty says nothing. */
import {
  EACH_NAMES,
  type EachName,
  FACTOR_NAMES,
  type FactorName,
  RATE_NAMES,
  type RateName,
} from '../../price-words.ts'
import type { NewPricingOverride } from '../../wire.ts'

export interface TierRow {
  readonly above_input_tokens: number | null
  readonly input: number | null
  readonly output: number | null
  readonly cache_read: number | null
  readonly cache_write: number | null
}

type Figures = { readonly [Name in RateName | EachName | FactorName]: number | null }

export interface OverrideForm extends Figures {
  readonly model: string
  readonly scope: NonNullable<NewPricingOverride['scope']>
  readonly scope_id: string
  readonly mode: NonNullable<NewPricingOverride['mode']>
  readonly multiplier: number | null
  readonly tiers: readonly TierRow[]
  readonly currency_note: string
  /** As the browser's control writes moments: `2026-05-01T00:00`, in the viewer's zone. */
  readonly effective_from: string
  readonly effective_to: string
}

const FIGURES = [...RATE_NAMES, ...EACH_NAMES, ...FACTOR_NAMES]
const NO_FIGURES = Object.fromEntries(FIGURES.map((name) => [name, null])) as Figures // each of them

export const EMPTY_TIER: TierRow = {
  above_input_tokens: null,
  input: null,
  output: null,
  cache_read: null,
  cache_write: null,
}

export function emptyForm(model: string): OverrideForm {
  return {
    ...NO_FIGURES,
    model,
    scope: 'global',
    scope_id: '',
    mode: 'set',
    multiplier: null,
    tiers: [],
    currency_note: '',
    effective_from: '',
    effective_to: '',
  }
}

/** What belongs to the other mode stays behind, even if it was typed. */
export function draftOf(form: OverrideForm): NewPricingOverride {
  const { model, scope, scope_id, mode, multiplier, currency_note, effective_from, effective_to } = form
  return {
    model: model.trim(),
    scope,
    ...(scope !== 'global' && scope_id !== '' && { scope_id }),
    mode,
    ...(mode === 'multiply' ? { multiplier } : setOf(form)),
    ...(currency_note.trim() !== '' && { currency_note: currency_note.trim() }),
    ...(effective_from !== '' && { effective_from: instantOf(effective_from) }),
    ...(effective_to !== '' && { effective_to: instantOf(effective_to) }),
  }
}

function setOf(form: OverrideForm): Partial<NewPricingOverride> {
  const said = Object.fromEntries(FIGURES.flatMap((name) => (form[name] === null ? [] : [[name, form[name]]])))
  return form.tiers.length === 0 ? said : { ...said, tiers: form.tiers.map(tierOf) }
}

/** A step without a bound is the server's to refuse. */
function tierOf({ above_input_tokens: above, ...rates }: TierRow) {
  const said = Object.fromEntries(Object.entries(rates).filter(([, usd]) => usd !== null))
  return { above_input_tokens: above ?? 0, ...said }
}

/** The moment that a control of the browser shows. */
export function instantOf(local: string): string {
  return new Date(local).toISOString()
}

/** A moment as the browser's control takes it. */
export function localOf(at: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}
