/** What providers were recorded saying, played to clients of Google's library. */
import type { Content, Part } from '@google/genai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from '../support/app.ts'
import { stream, text } from '../support/plays.ts'
import type { PlayedRequest } from '../support/provider.ts'

/** A provider that speaks one dialect, and what it was recorded saying. */
export interface Recorded {
  readonly dialect: string
  readonly provider: string
  readonly model: string
  /** A text, and a round of tools. */
  readonly exchanges: readonly [string, string]
}

export const BY_GEMINI: Recorded = {
  dialect: 'gemini',
  provider: 'google',
  model: 'google/gemini-3.8-flash',
  exchanges: ['text', 'thinking-parallel-calls'],
}
export const BY_ANTHROPIC: Recorded = {
  dialect: 'anthropic-messages',
  provider: 'anthropic',
  model: 'anthropic/claude-sonnet-4-5',
  exchanges: ['text', 'thinking-interleaved'],
}
export const BY_CHAT: Recorded = {
  dialect: 'openai-chat',
  provider: 'openai',
  model: 'openai/gpt-4.1',
  exchanges: ['text', 'parallel-tools'],
}

export function fixture({ dialect }: Recorded, exchange: string, file: string): string {
  return readFileSync(join(import.meta.dir, '..', 'fixtures', dialect, exchange, file), 'utf8')
}

export function play(app: TestApp, by: Recorded, exchange: string, isStream: boolean): void {
  const { played } = app.upstream(by.provider)
  if (isStream) played.play(stream([fixture(by, exchange, 'stream.txt')]))
  else played.play(text(fixture(by, exchange, 'reply.json'), 200, { 'content-type': 'application/json' }))
}

export function asked(app: TestApp, provider: string): PlayedRequest {
  const request = app.upstream(provider).played.requests.at(-1)
  if (request === undefined) throw new Error(`${provider} was not asked`)
  return request
}

export function user(...parts: Part[]): Content {
  return { role: 'user', parts }
}
