/** The words of prices, for every page about them. */
import { plural } from './format/count.ts'
import { rateText } from './format/money.ts'
import type { PricingOverride, Rate } from './wire.ts'

export const SOURCES: Readonly<Record<Rate['source'], string>> = {
  builtin: 'built in',
  sync: 'fetched',
  override: 'set here',
}

type Scope = PricingOverride['scope']

/** The most specific first: the order in which they count. */
export const SCOPES: readonly { readonly value: Scope; readonly label: string }[] = [
  { value: 'account', label: 'One account' },
  { value: 'key', label: 'One key' },
  { value: 'plan', label: 'One plan' },
  { value: 'provider', label: 'One provider' },
  { value: 'global', label: 'Everybody' },
]

/** Prices by the API's names, per million tokens. */
export const RATE_LABELS = {
  input: 'Input',
  output: 'Output',
  cache_read: 'Cache read',
  cache_write_5m: 'Cache write, 5 min',
  cache_write_1h: 'Cache write, 1 h',
  reasoning: 'Reasoning',
  audio_in: 'Audio in',
  audio_out: 'Audio out',
  image_in: 'Images in',
} as const
export type RateName = keyof typeof RATE_LABELS
export const RATE_NAMES = Object.keys(RATE_LABELS) as readonly RateName[] // the keys of a constant

/** Prices of one thing. */
export const EACH_LABELS = { per_request: 'Each request', per_search: 'Each web search' } as const
export type EachName = keyof typeof EACH_LABELS
export const EACH_NAMES = Object.keys(EACH_LABELS) as readonly EachName[] // the keys of a constant

/** Times the standard price. */
export const FACTOR_LABELS = { batch_factor: 'Batch', flex_factor: 'Flex', priority_factor: 'Priority' } as const
export type FactorName = keyof typeof FACTOR_LABELS
export const FACTOR_NAMES = Object.keys(FACTOR_LABELS) as readonly FactorName[] // the keys of a constant

const OTHERS = [...RATE_NAMES.slice(2), ...EACH_NAMES, ...FACTOR_NAMES]
const LABELS = { ...RATE_LABELS, ...EACH_LABELS, ...FACTOR_LABELS }
/** More would not fit in a line. */
const LISTED_MAX = 2

/** What an override says, in a line: `$2 in, $8 out`, `× 0.85`. */
export function overrideText(override: PricingOverride): string {
  if (override.mode === 'multiply') return `× ${override.multiplier}`
  const { input, output, tiers } = override
  const others = OTHERS.flatMap((name) => {
    const figure = override[name]
    return figure === null ? [] : [otherText(name, figure)]
  })
  return [
    input === null ? '' : `${rateText(input)} in`,
    output === null ? '' : `${rateText(output)} out`,
    others.length > LISTED_MAX ? plural(others.length, 'other price') : others.join(', '),
    tiers.length === 0 ? '' : plural(tiers.length, 'step for long prompts', 'steps for long prompts'),
  ]
    .filter((text) => text !== '')
    .join(', ')
}

function otherText(name: (typeof OTHERS)[number], figure: number): string {
  const isFactor = FACTOR_NAMES.some((factor) => factor === name)
  return `${LABELS[name].toLowerCase()} ${isFactor ? `× ${figure}` : rateText(figure)}`
}
