/** Whether a condition holds for a request. Pure; a fact that nobody kept makes it `unknown` wherever it could turn the outcome. */
import { matchesPattern } from '../core/model-pattern.ts'
import type { Comparison, Condition, FlagFact, NumberFact, Verdict, WordFact } from './condition.ts'
import type { RequestView } from './request-view.ts'

type NumberComparison = Extract<Comparison, { readonly value: number }>
type FlagComparison = Extract<Comparison, { readonly value: boolean }>
type WordComparison = Extract<Comparison, { readonly value: string }>

export function evaluate(condition: Condition, view: RequestView): Verdict {
  if ('all' in condition) return joined(condition.all, view, 'no')
  if ('any' in condition) return joined(condition.any, view, 'yes')
  if ('not' in condition) return OPPOSITE[evaluate(condition.not, view)]
  return compare(condition, view)
}

const OPPOSITE = { yes: 'no', no: 'yes', unknown: 'unknown' } as const

/** `deciding`: the verdict that settles the whole, whatever the others are. */
function joined(conditions: readonly Condition[], view: RequestView, deciding: 'yes' | 'no'): Verdict {
  let verdict: Verdict = OPPOSITE[deciding]
  for (const condition of conditions) {
    const one = evaluate(condition, view)
    if (one === deciding) return deciding
    if (one === 'unknown') verdict = 'unknown'
  }
  return verdict
}

function compare(comparison: Comparison, view: RequestView): Verdict {
  if (isNumber(comparison)) return compareNumber(comparison, numberOf(comparison.fact, view))
  if (isFlag(comparison)) return compareFlag(comparison, flagOf(comparison.fact, view))
  return isWord(comparison) ? compareWord(comparison, wordOf(comparison.fact, view)) : 'unknown'
}

/** With a fact of the kind that is compared; null: the request has no such word. */
export function holdsFor(comparison: Comparison, fact: number | boolean | string | null): boolean {
  if (isNumber(comparison)) return typeof fact === 'number' && compareNumber(comparison, fact) === 'yes'
  if (isFlag(comparison)) return typeof fact === 'boolean' && compareFlag(comparison, fact) === 'yes'
  const isWordOrNone = fact === null || typeof fact === 'string'
  return isWordOrNone && isWord(comparison) && compareWord(comparison, fact) === 'yes'
}

function isNumber(comparison: Comparison): comparison is NumberComparison {
  return typeof comparison.value === 'number'
}

function isFlag(comparison: Comparison): comparison is FlagComparison {
  return typeof comparison.value === 'boolean'
}

function isWord(comparison: Comparison): comparison is WordComparison {
  return typeof comparison.value === 'string'
}

const ORDER: Readonly<Record<NumberComparison['op'], (fact: number, value: number) => boolean>> = {
  lt: (fact, value) => fact < value,
  lte: (fact, value) => fact <= value,
  gt: (fact, value) => fact > value,
  gte: (fact, value) => fact >= value,
  eq: (fact, value) => fact === value,
}

function compareNumber({ op, value }: NumberComparison, fact: number | undefined): Verdict {
  return fact === undefined ? 'unknown' : said(ORDER[op](fact, value))
}

function compareFlag({ value }: FlagComparison, fact: boolean | undefined): Verdict {
  return fact === undefined ? 'unknown' : said(fact === value)
}

/** What the request does not have equals nothing and matches nothing. */
function compareWord({ op, value }: WordComparison, fact: string | null | undefined): Verdict {
  if (fact === undefined) return 'unknown'
  if (op === 'matches') return said(fact !== null && matchesPattern(value, fact))
  return said((fact === value) === (op === 'eq'))
}

function said(holds: boolean): Verdict {
  return holds ? 'yes' : 'no'
}

/** Hours and weekdays are those of UTC; Sunday is 0. */
function numberOf(fact: NumberFact, { inputTokens, atMs, budgetLeftPct }: RequestView): number | undefined {
  if (fact === 'input_tokens') return inputTokens
  if (fact === 'budget_left_pct') return budgetLeftPct()
  if (fact === 'hour') return new Date(atMs).getUTCHours()
  return new Date(atMs).getUTCDay()
}

function flagOf(fact: FlagFact, view: RequestView): boolean | undefined {
  if (fact === 'stream') return view.stream
  if (fact === 'has_images') return view.media('image')
  if (fact === 'has_thinking') return view.thinking
  return view.tools === undefined ? undefined : view.tools > 0
}

function wordOf(fact: WordFact, view: RequestView): string | null | undefined {
  if (fact === 'key_id') return view.keyId
  if (fact === 'plan_id') return view.planId
  if (fact === 'dialect') return view.dialect
  if (fact === 'client') return view.client
  if (fact.startsWith('header.')) return view.header(fact.slice('header.'.length))
  if (fact.startsWith('tag.')) return view.tags && tagOf(view.tags, fact.slice('tag.'.length))
  return undefined
}

function tagOf(tags: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(tags, name) ? (tags[name] ?? null) : null
}
