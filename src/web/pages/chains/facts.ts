/** What conditions may look at, in words. */
import type { Comparison, Group, Part } from './condition-tree.ts'
import { isGroup } from './condition-tree.ts'

type FactKind = 'number' | 'flag' | 'word' | 'key' | 'plan' | 'weekday'

interface FactWords {
  /** As the API names it; those that end in a dot are followed by a name. */
  readonly fact: string
  readonly label: string
  readonly kind: FactKind
  readonly placeholder?: string
}

export const FACTS = [
  { fact: 'input_tokens', label: 'Input tokens', kind: 'number', placeholder: '16000' },
  { fact: 'has_tools', label: 'Has tools', kind: 'flag' },
  { fact: 'has_images', label: 'Has images', kind: 'flag' },
  { fact: 'has_thinking', label: 'Asks for thinking', kind: 'flag' },
  { fact: 'stream', label: 'Is streamed', kind: 'flag' },
  { fact: 'key_id', label: 'Key', kind: 'key' },
  { fact: 'plan_id', label: 'Plan', kind: 'plan' },
  { fact: 'budget_left_pct', label: 'Budget left, %', kind: 'number', placeholder: '20' },
  { fact: 'client', label: 'Client', kind: 'word', placeholder: 'claude-code' },
  { fact: 'dialect', label: 'Format', kind: 'word', placeholder: 'anthropic_messages' },
  { fact: 'hour', label: 'Hour (UTC)', kind: 'number', placeholder: '0 to 23' },
  { fact: 'weekday', label: 'Weekday (UTC)', kind: 'weekday' },
  { fact: 'tag.', label: 'Tag of the key', kind: 'word', placeholder: 'platform' },
  { fact: 'header.', label: 'Header', kind: 'word', placeholder: '*beta*' },
] as const satisfies readonly FactWords[]

/** A fact that this page does not know is shown as a word. */
export function wordsOf(fact: string): FactWords {
  const words: readonly FactWords[] = FACTS
  const named = words.find((one) => one.fact === fact || (one.fact.endsWith('.') && fact.startsWith(one.fact)))
  return named ?? { fact, label: fact, kind: 'word' }
}

const NUMBER_OPS = [
  { value: 'lt', label: '<' },
  { value: 'lte', label: '≤' },
  { value: 'gt', label: '>' },
  { value: 'gte', label: '≥' },
  { value: 'eq', label: '=' },
] as const
const WORD_OPS = [
  { value: 'eq', label: 'is' },
  { value: 'ne', label: 'is not' },
  { value: 'matches', label: 'matches' },
] as const
const FLAG_OPS = [{ value: 'is', label: 'is' }] as const

export function opsOf(fact: string): readonly { readonly value: string; readonly label: string }[] {
  const { kind } = wordsOf(fact)
  if (kind === 'flag') return FLAG_OPS
  return kind === 'number' || kind === 'weekday' ? NUMBER_OPS : WORD_OPS
}

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** A comparison to begin with, when its fact is chosen. */
export function freshComparison(fact: string): Comparison {
  const { kind } = wordsOf(fact)
  const op = opsOf(fact)[0]?.value ?? 'eq'
  const value = { number: null, flag: true, word: '', key: '', plan: '', weekday: 1 }[kind]
  return { fact, op: kind === 'weekday' ? 'eq' : op, value }
}

/** What people call the key or the plan with an id; undefined where nobody knows. */
export type NameOf = (id: string) => string | undefined

/** `Input tokens < 16,000 and Has tools`: short enough for a chip. */
export function conditionText({ joint, parts }: Group, nameOf: NameOf = () => undefined): string {
  const between = joint === 'all' ? ' and ' : ' or '
  const text = parts.map((part) => partText(part, nameOf)).join(between)
  return joint === 'none' ? `not (${text})` : text
}

function partText(part: Part, nameOf: NameOf): string {
  if (isGroup(part)) return `(${conditionText(part, nameOf)})`
  const { fact, op, value } = part
  const { label, kind } = wordsOf(fact)
  const name = fact.startsWith('tag.') || fact.startsWith('header.') ? fact : label.toLowerCase()
  if (kind === 'flag') return value === true ? name : `not: ${name}`
  const sign = opsOf(fact).find((one) => one.value === op)?.label ?? op
  if (kind === 'weekday') return `${name} ${sign} ${DAYS[Number(value)] ?? value}`
  const named = kind === 'key' || kind === 'plan' ? nameOf(String(value)) : undefined
  return `${name} ${sign} ${named ?? valueText(value)}`
}

function valueText(value: Comparison['value']): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : String(value ?? '…')
}
