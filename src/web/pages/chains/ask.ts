/** What the simulation is asked with: a request that is described, one that is pasted, or those of the past. Pure. */
import type { ChainTrial } from '../../wire.ts'
import { type ChainFields, trialOf } from './chain-draft.ts'

export type AskMode = 'describe' | 'paste' | 'past'
type Request = NonNullable<ChainTrial['request']>
export type Endpoint = NonNullable<Request['endpoint']>
export type Range = NonNullable<ChainTrial['range']>

export interface Ask {
  readonly mode: AskMode
  readonly inputTokens: number | null
  /** Those of `TRAITS` that the request has. */
  readonly traits: readonly Trait[]
  readonly client: string
  /** Empty: of no key. */
  readonly keyId: string
  readonly endpoint: Endpoint
  /** As it is typed. */
  readonly body: string
  readonly range: Range
}

export const TRAITS = ['tools', 'images', 'documents', 'thinking', 'structured_output', 'stream'] as const
export type Trait = (typeof TRAITS)[number]

export const FIRST_ASK: Ask = {
  mode: 'describe',
  inputTokens: 1_000,
  traits: ['stream'],
  client: '',
  keyId: '',
  endpoint: 'chat',
  body: '',
  range: '24h',
}

/** The requests that are looked at. */
export const PAST_MAX = 100

/** Undefined while there is nothing to try: a step without a model, or a pasted text that is no JSON object. */
export function trialBody(fields: ChainFields, ask: Ask): ChainTrial | undefined {
  if (fields.steps.some(({ model }) => model === '')) return undefined
  const chain = trialOf(fields)
  if (ask.mode === 'past') return { chain, range: ask.range, limit: PAST_MAX }
  const key = ask.keyId === '' ? {} : { key_id: ask.keyId }
  if (ask.mode === 'describe') return { chain, request: { facts: factsOf(ask), ...key } }
  const body = pastedBody(ask.body)
  return body === undefined ? undefined : { chain, request: { endpoint: ask.endpoint, body, ...key } }
}

function factsOf({ inputTokens, traits, client }: Ask): NonNullable<Request['facts']> {
  const has = (trait: Trait): boolean => traits.includes(trait)
  const count = (trait: Trait): number => Number(has(trait))
  return {
    ...(inputTokens !== null && { input_tokens: inputTokens }),
    tools: count('tools'),
    images: count('images'),
    documents: count('documents'),
    audio: 0,
    thinking: has('thinking'),
    structured_output: has('structured_output'),
    stream: has('stream'),
    ...(client !== '' && { client }),
  }
}

export function pastedBody(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined // the field says that it is no JSON
  }
}
