/**
 * A file in the format of `@pydantic/genai-prices`, as it comes over the network: nothing in it is believed before its structure and
 * every figure have been checked. Of it only the models of providers that are asked for is kept.
 * https://github.com/pydantic/genai-prices/blob/main/prices/new_data/v2/data.schema.json (read 2026-11-21)
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { ConditionalPrice, MatchLogic, ModelInfo, ModelPrice } from '@pydantic/genai-prices'
import { parseJson } from '../core/json.ts'
import { err, ok, type Result } from '../core/result.ts'

/** What is kept of a file: models by the provider's name in the data, first match first. */
export type PriceFile = ReadonlyMap<string, readonly ModelInfo[]>

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
/** Models are looked at later, one provider at a time: a file is large, and everything else waits meanwhile. */
const Providers = Type.Array(Type.Object({ id: Text, models: Type.Array(Type.Unknown(), { maxItems: MODELS_MAX }) }), {
  minItems: 1,
  maxItems: PROVIDERS_MAX,
})

/** A provider's part of a file, of which only the name has been looked at. */
export type UnreadPart = Static<typeof Providers>[number]

/** The parts for `providers`. The error says what is wrong, in a sentence for an operator. */
export function openPriceFile(text: string, providers: ReadonlySet<string>): Result<readonly UnreadPart[], string> {
  const file = parseJson(text)
  if (!Value.Check(Providers, file)) return err(`It is not a price file: ${whereBroken(Providers, file, 'the file')}.`)
  const parts = file.filter(({ id }) => providers.has(id))
  const isDoubled = new Set(parts.map(({ id }) => id)).size < parts.length
  if (isDoubled) return err('It names a provider twice.')
  return parts.length === 0 ? err('It has prices for no provider that is known here.') : ok(parts)
}

/** The models of one part, once every one of them has been checked. The error is one of `openPriceFile`. */
export function readPart({ id, models }: UnreadPart): Result<readonly ModelInfo[], string> {
  const read: ModelInfo[] = []
  for (const [at, model] of models.entries()) {
    const place = `${id}.models.${at}`
    if (!Value.Check(Model, model)) return err(`It is not a price file: ${whereBroken(Model, model, place)}.`)
    if (!isQuick(model.match)) return err(`The name of ${id}/${model.id} is matched in a way that could take long.`)
    read.push(modelFrom(model))
  }
  return ok(read)
}

function whereBroken(schema: TSchema, value: unknown, place: string): string {
  const first = Value.Errors(schema, value).First()
  const path = first === undefined ? '' : first.path.replaceAll('/', '.').slice(0, TEXT_MAX)
  return `${place}${path}: ${first?.message.replace(/^Expected /, 'must be ') ?? 'cannot be read'}`
}

function modelFrom({ id, match, prices, context_window }: Static<typeof Model>): ModelInfo {
  return {
    id,
    match: inLowerCase(match),
    prices: Array.isArray(prices) ? prices.map(rowFrom) : prices,
    ...(context_window === undefined ? {} : { context_window }),
  }
}

/** As names are when they are compared; a regular expression says itself what it means. */
function inLowerCase(rule: MatchLogic): MatchLogic {
  if ('or' in rule) return { or: rule.or.map(inLowerCase) }
  if ('and' in rule) return { and: rule.and.map(inLowerCase) }
  if ('equals' in rule) return { equals: rule.equals.toLowerCase() }
  if ('starts_with' in rule) return { starts_with: rule.starts_with.toLowerCase() }
  if ('ends_with' in rule) return { ends_with: rule.ends_with.toLowerCase() }
  return 'contains' in rule ? { contains: rule.contains.toLowerCase() } : rule
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

/** The first of `models` that `name` means, also where it writes a date without dashes. */
export function modelIn(models: readonly ModelInfo[], name: string): ModelInfo | undefined {
  const plain = name.toLowerCase().trim()
  const dashed = plain.replaceAll(/-(20\d{2})(\d{2})(\d{2})(?=-|:|$)/g, '-$1-$2-$3')
  const found = models.find(({ match }) => meets(plain, match))
  return found ?? (dashed === plain ? undefined : models.find(({ match }) => meets(dashed, match)))
}

function meets(name: string, rule: MatchLogic): boolean {
  if ('or' in rule) return rule.or.some((one) => meets(name, one))
  if ('and' in rule) return rule.and.every((one) => meets(name, one))
  if ('equals' in rule) return name === rule.equals
  if ('starts_with' in rule) return name.startsWith(rule.starts_with)
  if ('ends_with' in rule) return name.endsWith(rule.ends_with)
  if ('contains' in rule) return name.includes(rule.contains)
  return compiled(rule.regex)?.test(name) ?? false
}

/** All rows of a model, whenever they count. */
export function rowsOf({ prices }: ModelInfo): readonly ModelPrice[] {
  return Array.isArray(prices) ? prices.map((row) => row.prices) : [prices]
}
