/**
 * The official libraries as ways to hold the same conversation: each in its own words, through its own helpers, with its answers
 * reduced to what they say. What a library has no helper for is said in `lacks`, with the reason.
 */
import type { ClientDialectId } from '../../../src/catalog/dialect-id.ts'
import type { JsonObject } from '../../../src/core/json.ts'

/** Where it finds the model. */
export interface Site {
  readonly url: string
  readonly secret: string
  readonly model: string
}

export interface Wish {
  readonly stream: boolean
  /** The tools of `TOOLS`. */
  readonly tools?: boolean
  readonly thinking?: boolean
  readonly signal?: AbortSignal
  /** Called with each piece of a streamed text. */
  readonly heard?: (text: string) => void
}

export interface Call {
  /** Absent where the library tells none. */
  readonly id: string | undefined
  readonly name: string
  readonly input: unknown
}

export interface Said {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly Call[]
  /** All of them, cached ones included. */
  readonly inputTokens: number
  /** All of them, thinking included. */
  readonly outputTokens: number
}

export interface Answer {
  readonly said: Said
  /** What the library wants to see of it in the next turn. */
  readonly history: readonly object[]
}

/** Runs a tool. */
export type Run = (name: string, input: unknown) => string

/** What a library's error tells: its class, its status, and the seconds to wait where it has a place for headers. */
export interface Thrown {
  readonly name: string
  readonly status: number | undefined
  readonly retryAfter: string | null | undefined
}

export interface Library {
  readonly name: string
  readonly dialect: ClientDialectId
  ask(conversation: readonly object[], wish: Wish): Promise<Answer>
  user(text: string, imageBase64?: string): object
  /** The results of calls in their order, as the library's documentation shows them. */
  results(calls: readonly Call[], texts: readonly string[]): readonly object[]
  /** An answer under `PLACE` by the library's own helper for that. */
  place(question: string, stream: boolean): Promise<unknown>
  /** The library's own loop, which runs the tools of `TOOLS` until there is a last word. */
  readonly loop?: (question: string, run: Run, stream: boolean) => Promise<string>
  readonly models?: () => Promise<readonly string[]>
  readonly countTokens?: (text: string) => Promise<number | undefined>
  readonly lacks: Partial<Record<Ability, string>>
  /** It names what a Responses server keeps by its ids alone. */
  readonly refersToItems?: boolean
  thrown(error: unknown): Thrown
  /** Its class for each status. */
  errorClass(status: number): string
}

export type Ability = 'thinking' | 'loop' | 'models' | 'countTokens' | 'retryAfter' | 'leavePlain'

export type LibraryOf = (site: Site) => Library

export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly schema: typeof CITY
}

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const

export const TOOLS: readonly ToolSpec[] = [
  { name: 'weather', description: 'Tells the weather of a city.', schema: CITY },
  { name: 'clock', description: 'Tells the time in a city.', schema: CITY },
]

/** What structured answers have to be. */
export const PLACE = CITY

export const MAX_TOKENS = 4_000

/** For types of libraries that take any JSON. */
export function anyJson(schema: typeof CITY): JsonObject {
  return { ...schema, required: [...schema.required] }
}

export function inputOf(text: string): unknown {
  return JSON.parse(text === '' ? '{}' : text)
}
