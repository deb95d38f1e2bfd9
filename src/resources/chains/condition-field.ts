/** Conditions as they are sent → as routing reads them. Bounded before it is walked; what is wrong is named by its place. */
import { Type } from '@sinclair/typebox'
import { isPattern } from '../../core/model-pattern.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import {
  type Comparison,
  type Condition,
  CONDITION_DEPTH_MAX,
  CONDITION_NODES_MAX,
  FACT_RANGES,
  type FlagFact,
  type NumberFact,
  type WordFact,
} from '../../routing/condition.ts'

/** Its parts are checked by `readCondition`, which says more of a mistake than a schema can. */
export const ConditionField = Type.Unsafe<unknown>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        '`{all: []}`, `{any: []}`, `{not: {}}` or `{fact, op, value}`; ' +
        'facts: input_tokens, hour, weekday (UTC), budget_left_pct (100 without a budget), has_tools, has_images, has_thinking, stream, key_id, plan_id, dialect, client, tag.*, header.*',
    },
  ),
)

const FLAGS = ['has_tools', 'has_images', 'has_thinking', 'stream'] as const satisfies readonly FlagFact[]
const WORDS = ['key_id', 'plan_id', 'dialect', 'client'] as const satisfies readonly WordFact[]
/** A tag, or a header in lower case. */
const NAMED = /^(?:tag\.[a-z0-9_.-]{1,40}|header\.[!#$%&'*+.^_`|~0-9a-z-]{1,100})$/
/** Whose values are secrets: no rule may look at them. */
const SECRET_HEADERS = /^header\.(?:authorization|cookie|proxy-authorization|x-api-key|x-goog-api-key|x-gateway-key)$/

const NUMBER_OPS = ['lt', 'lte', 'gt', 'gte', 'eq'] as const
const FLAG_OPS = ['is'] as const
const WORD_OPS = ['eq', 'ne', 'matches'] as const
const WORD_CHARACTERS_MAX = 200

/** `path` is where it stands in the body. Errors by dotted path. */
export function readCondition(value: unknown, path: string): Result<Condition, FieldErrors> {
  const reading = new Reading()
  const condition = reading.condition(value, path, 1)
  const { errors } = reading
  if (reading.nodes > CONDITION_NODES_MAX) return err({ [path]: [`may have at most ${CONDITION_NODES_MAX} parts`] })
  return condition !== undefined && Object.keys(errors).length === 0 ? ok(condition) : err(errors)
}

/** Formats have the names of folders within, and the API's words outside. */
export function conditionToWire(condition: Condition): Readonly<Record<string, unknown>> {
  if ('all' in condition) return { all: condition.all.map(conditionToWire) }
  if ('any' in condition) return { any: condition.any.map(conditionToWire) }
  if ('not' in condition) return { not: conditionToWire(condition.not) }
  return condition.fact === 'dialect' ? { ...condition, value: condition.value.replaceAll('-', '_') } : condition
}

/** One walk, and what it met. */
class Reading {
  readonly errors: Record<string, string[]> = {}
  nodes = 0

  condition(value: unknown, path: string, depth: number): Condition | undefined {
    if (depth > CONDITION_DEPTH_MAX) return this.#wrong(path, `is nested deeper than ${CONDITION_DEPTH_MAX}`)
    if (++this.nodes > CONDITION_NODES_MAX) return undefined
    const fields = fieldsOf(value)
    if (fields === undefined) return this.#wrong(path, 'must be an object')
    if ('fact' in fields) return this.#comparison(fields, path)
    const [joint, ...others] = Object.keys(fields)
    if (joint === undefined || others.length > 0 || !isJoint(joint))
      return this.#wrong(path, 'must be one of {all}, {any}, {not} and {fact, op, value}')
    if (joint !== 'not') return this.#list(joint, fields[joint], `${path}.${joint}`, depth)
    const inner = this.condition(fields['not'], `${path}.not`, depth + 1)
    return inner && { not: inner }
  }

  #list(joint: 'all' | 'any', value: unknown, path: string, depth: number): Condition | undefined {
    if (!Array.isArray(value) || value.length === 0) return this.#wrong(path, 'must be a list of conditions')
    const parts: readonly unknown[] = value
    const read = parts.map((part, at) => this.condition(part, `${path}.${at}`, depth + 1))
    const conditions = read.filter((part) => part !== undefined)
    return joint === 'all' ? { all: conditions } : { any: conditions }
  }

  #comparison(fields: Fields, path: string): Comparison | undefined {
    const unknown = Object.keys(fields).find((name) => !COMPARISON_FIELDS.has(name))
    if (unknown !== undefined) return this.#wrong(`${path}.${unknown}`, 'is not a known field')
    const { fact, op, value } = fields
    if (isNumberFact(fact)) return this.#number(fact, op, value, path)
    if (isFlagFact(fact)) return this.#flag(fact, op, value, path)
    if (isWordFact(fact)) return this.#word(fact, op, value, path)
    return this.#wrong(`${path}.fact`, 'is not a fact that rules know')
  }

  #number(fact: NumberFact, sent: unknown, value: unknown, path: string): Comparison | undefined {
    const op = this.#op(NUMBER_OPS, sent, path)
    const { min, max } = FACT_RANGES[fact]
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      return this.#wrong(`${path}.value`, `must be an integer from ${min} to ${max}`)
    return op && { fact, op, value }
  }

  #flag(fact: FlagFact, sent: unknown, value: unknown, path: string): Comparison | undefined {
    const op = this.#op(FLAG_OPS, sent, path)
    if (typeof value !== 'boolean') return this.#wrong(`${path}.value`, 'must be true or false')
    return op && { fact, op, value }
  }

  #word(fact: WordFact, sent: unknown, value: unknown, path: string): Comparison | undefined {
    const op = this.#op(WORD_OPS, sent, path)
    if (typeof value !== 'string' || value === '' || value.length > WORD_CHARACTERS_MAX)
      return this.#wrong(`${path}.value`, `must be a text of 1 to ${WORD_CHARACTERS_MAX} characters`)
    if (op === 'matches' && !isPattern(value))
      return this.#wrong(`${path}.value`, 'must be a pattern of visible characters, in which * stands for any text')
    return op && { fact, op, value: fact === 'dialect' ? value.replaceAll('_', '-') : value }
  }

  #op<Op extends string>(known: readonly Op[], sent: unknown, path: string): Op | undefined {
    return known.find((op) => op === sent) ?? this.#wrong(`${path}.op`, `must be one of ${known.join(', ')}`)
  }

  #wrong(path: string, message: string): undefined {
    this.errors[path] = [message]
  }
}

type Fields = Readonly<Record<string, unknown>>

const COMPARISON_FIELDS: ReadonlySet<string> = new Set(['fact', 'op', 'value'])

function fieldsOf(value: unknown): Fields | undefined {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isFields ? Object.fromEntries(Object.entries(value)) : undefined
}

function isJoint(name: string): name is 'all' | 'any' | 'not' {
  return name === 'all' || name === 'any' || name === 'not'
}

function isNumberFact(fact: unknown): fact is NumberFact {
  return typeof fact === 'string' && Object.hasOwn(FACT_RANGES, fact)
}

function isFlagFact(fact: unknown): fact is FlagFact {
  return FLAGS.some((known) => known === fact)
}

function isWordFact(fact: unknown): fact is WordFact {
  if (typeof fact !== 'string') return false
  return WORDS.some((known) => known === fact) || (NAMED.test(fact) && !SECRET_HEADERS.test(fact))
}
