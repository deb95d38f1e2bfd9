/**
 * A file in the format of `@pydantic/genai-prices`, as it comes over the network: nothing in it is believed before its structure and
 * every figure have been checked. Of it only the models of providers that are asked for is kept.
 * https://github.com/pydantic/genai-prices/blob/main/prices/new_data/v2/data.schema.json (read 2026-11-21)
 */
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ConditionalPrice, MatchLogic, ModelInfo, ModelPrice } from '@pydantic/genai-prices'
import { parseJson } from '../core/json.ts'
import { err, ok, type Result } from '../core/result.ts'

export interface PriceFile {
  /** By the provider's name in the data; first match first. */
  readonly providers: Readonly<Record<string, readonly ModelInfo[]>>
}

/** Nobody's price for a million tokens, or a thousand requests, is higher. */
const USD_MAX = 100_000
const PROVIDERS_MAX = 500
const MODELS_MAX = 5_000
const ROWS_MAX = 50
const RULES_MAX = 200
const TEXT_MAX = 256
const TOKENS_MAX = 1_000_000_000

const Text = Type.String({ minLength: 1, maxLength: TEXT_MAX })
/** A free model has no prices; a price of nothing is a mistake. */
const Amount = Type.Number({ exclusiveMinimum: 0, maximum: USD_MAX })
const Tier = Type.Object({ start: Type.Integer({ minimum: 0, maximum: TOKENS_MAX }), price: Amount })
const Tiered = Type.Object({ base: Amount, tiers: Type.Array(Tier, { maxItems: ROWS_MAX }) })
const Prices = Type.Record(Text, Type.Union([Amount, Tiered]), { maxProperties: ROWS_MAX })

const closed = { additionalProperties: false } as const
const Kind = (word: string) => Type.Optional(Type.Literal(word))
const ByDate = Type.Object(
  { start_date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), type: Kind('start_date') },
  closed,
)
const Time = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$' })
const ByHour = Type.Object({ start_time: Time, end_time: Time, type: Kind('time_of_date') }, closed)
const Row = Type.Object({ constraint: Type.Optional(Type.Union([ByDate, ByHour])), prices: Prices })

/** A regular expression runs on names that clients choose: what could take long is no part of a file. See `isQuick`. */
const Regex = Type.String({ minLength: 1, maxLength: TEXT_MAX })
const Leaf = Type.Union([
  Type.Object({ starts_with: Type.String({ maxLength: TEXT_MAX }) }, closed),
  Type.Object({ ends_with: Text }, closed),
  Type.Object({ contains: Text }, closed),
  Type.Object({ equals: Text }, closed),
  Type.Object({ regex: Regex }, closed),
])
const Leaves = Type.Array(Leaf, { maxItems: RULES_MAX })
const Inner = Type.Union([Leaf, Type.Object({ or: Leaves }, closed), Type.Object({ and: Leaves }, closed)])
const Inners = Type.Array(Inner, { maxItems: RULES_MAX })
const Rule = Type.Union([Leaf, Type.Object({ or: Inners }, closed), Type.Object({ and: Inners }, closed)])

const Model = Type.Object({
  id: Text,
  match: Rule,
  prices: Type.Union([Prices, Type.Array(Row, { minItems: 1, maxItems: ROWS_MAX })]),
  context_window: Type.Optional(Type.Integer({ minimum: 1, maximum: TOKENS_MAX })),
})
const File = Type.Array(Type.Object({ id: Text, models: Type.Array(Model, { maxItems: MODELS_MAX }) }), {
  minItems: 1,
  maxItems: PROVIDERS_MAX,
})

/** What of a file is kept: the models of `providers`. The error says what is wrong with it, in a sentence for an operator. */
export function readPriceFile(text: string, providers: ReadonlySet<string>): Result<PriceFile, string> {
  const file = parseJson(text)
  if (!Value.Check(File, file)) return err(`It is not a price file: ${whereBroken(file)}.`)
  const kept: Record<string, readonly ModelInfo[]> = {}
  for (const { id, models } of file) {
    if (!providers.has(id)) continue
    const slow = models.find(({ match }) => !isQuick(match))
    if (slow !== undefined) return err(`The name of ${id}/${slow.id} is matched in a way that could take long.`)
    kept[id] = models.map(modelFrom)
  }
  if (Object.keys(kept).length === 0) return err('It has prices for no provider that is known here.')
  return ok({ providers: kept })
}

function whereBroken(file: unknown): string {
  const first = Value.Errors(File, file).First()
  if (first === undefined) return 'it cannot be read'
  const place = first.path === '' ? 'the file' : first.path.slice(1).replaceAll('/', '.')
  return `${place.slice(0, TEXT_MAX)}: ${first.message.replace(/^Expected /, 'must be ')}`
}

function modelFrom({ id, match, prices, context_window }: Static<typeof Model>): ModelInfo {
  return {
    id,
    match,
    prices: Array.isArray(prices) ? prices.map(rowFrom) : prices,
    ...(context_window === undefined ? {} : { context_window }),
  }
}

/** In files of this version a condition does not say its kind; in memory it does. */
function rowFrom({ constraint, prices }: Static<typeof Row>): ConditionalPrice {
  if (constraint === undefined) return { prices }
  if ('start_date' in constraint) return { constraint: { ...constraint, type: 'start_date' }, prices }
  return { constraint: { ...constraint, type: 'time_of_date' }, prices }
}

const LOOPS_MAX = 2

/** No group is repeated and few characters are: then time grows with a low power of the name's length. */
function isQuick(rule: MatchLogic): boolean {
  if ('or' in rule) return rule.or.every(isQuick)
  if ('and' in rule) return rule.and.every(isQuick)
  if (!('regex' in rule)) return true
  const loops = rule.regex.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0
  return loops <= LOOPS_MAX && !/\)[*+?{]|\\[1-9k]/.test(rule.regex) && compiled(rule.regex) !== undefined
}

function compiled(regex: string): RegExp | undefined {
  try {
    return new RegExp(regex)
  } catch {
    return undefined // not a regular expression: whoever asks says what that means
  }
}

/** The first model of a provider that `name` means, also where it writes a date without dashes. */
export function modelIn({ providers }: PriceFile, provider: string, name: string): ModelInfo | undefined {
  const models = Object.hasOwn(providers, provider) ? (providers[provider] ?? []) : []
  const plain = name.toLowerCase().trim()
  const dashed = plain.replaceAll(/-(20\d{2})(\d{2})(\d{2})(?=-|:|$)/g, '-$1-$2-$3')
  const found = models.find(({ match }) => meets(plain, match))
  return found ?? (dashed === plain ? undefined : models.find(({ match }) => meets(dashed, match)))
}

function meets(name: string, rule: MatchLogic): boolean {
  if ('or' in rule) return rule.or.some((one) => meets(name, one))
  if ('and' in rule) return rule.and.every((one) => meets(name, one))
  if ('equals' in rule) return name === rule.equals.toLowerCase()
  if ('starts_with' in rule) return name.startsWith(rule.starts_with.toLowerCase())
  if ('ends_with' in rule) return name.endsWith(rule.ends_with.toLowerCase())
  if ('contains' in rule) return name.includes(rule.contains.toLowerCase())
  return compiled(rule.regex)?.test(name) ?? false
}

/** All rows of a model, whenever they count. */
export function rowsOf({ prices }: ModelInfo): readonly ModelPrice[] {
  return Array.isArray(prices) ? prices.map((row) => row.prices) : [prices]
}
