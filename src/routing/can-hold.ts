/**
 * Whether a condition can hold for any request at all, so that who writes one can be warned. Pure. Only a no is certain: where
 * patterns meet patterns, or there are too many ways to look at, it says yes.
 */
import { type Comparison, type Condition, FACT_RANGES, type NumberFact } from './condition.ts'
import { holdsFor } from './evaluate.ts'

/** A comparison that must come out so. */
interface Demand {
  readonly comparison: Comparison
  readonly holds: boolean
}

/** As many ways to fulfil a condition as are looked at. */
const WAYS_MAX = 4_096

export function canHold(condition: Condition): boolean {
  let looked = 0
  for (const way of waysTo(condition, true)) {
    if (isPossible(way) || ++looked === WAYS_MAX) return true
  }
  return false
}

/** Every set of demands that makes the condition come out as it should. */
function* waysTo(condition: Condition, holds: boolean): Generator<readonly Demand[]> {
  if ('fact' in condition) yield [{ comparison: condition, holds }]
  else if ('not' in condition) yield* waysTo(condition.not, !holds)
  else if ('all' in condition) yield* holds ? waysToAll(condition.all, holds) : waysToAny(condition.all, holds)
  else yield* holds ? waysToAny(condition.any, holds) : waysToAll(condition.any, holds)
}

function* waysToAny(parts: readonly Condition[], holds: boolean): Generator<readonly Demand[]> {
  for (const part of parts) yield* waysTo(part, holds)
}

function* waysToAll(parts: readonly Condition[], holds: boolean): Generator<readonly Demand[]> {
  const [first, ...others] = parts
  if (first === undefined) return yield []
  for (const way of waysTo(first, holds)) for (const rest of waysToAll(others, holds)) yield [...way, ...rest]
}

/** Facts know nothing of one another. */
function isPossible(way: readonly Demand[]): boolean {
  return [...Map.groupBy(way, ({ comparison }) => comparison.fact).values()].every(isPossibleAtOnce)
}

/** `demands`: of one fact. */
function isPossibleAtOnce(demands: readonly Demand[]): boolean {
  const worth = valuesWorthTrying(demands)
  return worth === 'any' || worth.some((value) => demands.every((demand) => isMetBy(demand, value)))
}

type FactValue = Parameters<typeof holdsFor>[1]

function isMetBy({ comparison, holds }: Demand, value: FactValue): boolean {
  return holdsFor(comparison, value) === holds
}

/** If one of these does not fit, no value does. `any`: some value will fit, as far as can be told. */
function valuesWorthTrying(demands: readonly Demand[]): readonly FactValue[] | 'any' {
  const numbers = demands.flatMap(({ comparison }) => (isNumber(comparison) ? [comparison] : []))
  const [number] = numbers
  if (number !== undefined)
    return numbersAround(
      number.fact,
      numbers.map(({ value }) => value),
    )
  const words = demands.filter(({ comparison }) => typeof comparison.value === 'string')
  return words.length === 0 ? [true, false] : wordsFor(words)
}

function isNumber(comparison: Comparison): comparison is Extract<Comparison, { readonly value: number }> {
  return typeof comparison.value === 'number'
}

/** What a comparison says changes at its value alone: so each value, its neighbours and the ends stand for all numbers. */
function numbersAround(fact: NumberFact, values: readonly number[]): readonly number[] {
  const { min, max, step } = FACT_RANGES[fact]
  const near = values.flatMap((value) => [value - step, value, value + step])
  return [min, max, ...near].filter((value) => value >= min && value <= max)
}

/** A word that must be one value is that value; without such a demand, no word at all meets every one but those for patterns. */
function wordsFor(demands: readonly Demand[]): readonly FactValue[] | 'any' {
  const equal = demands.find(({ comparison: { op }, holds }) => (op === 'eq' && holds) || (op === 'ne' && !holds))
  if (equal !== undefined) return [equal.comparison.value]
  const wanted = patternsOf(demands, true)
  if (wanted.length === 0) return [null]
  return patternsOf(demands, false).some((pattern) => pattern === '*' || wanted.includes(pattern)) ? [] : 'any'
}

function patternsOf(demands: readonly Demand[], wanted: boolean): readonly Comparison['value'][] {
  return demands.flatMap(({ comparison: { op, value }, holds }) =>
    op === 'matches' && holds === wanted ? [value] : [],
  )
}
