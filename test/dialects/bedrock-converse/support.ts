/** The exchanges of `test/fixtures/bedrock-converse`, and how their streams are framed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../../src/core/json.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { eventOf } from '../../support/event-stream.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/bedrock-converse')

export const EXCHANGES = ['tool-use', 'thinking-tools'] as const

export type WireEvent = readonly [type: string, body: JsonObject]

export interface ConverseExchange {
  readonly reply: JsonObject
  readonly stream: Buffer
  readonly neutral: ChatReply
}

export function exchange(name: (typeof EXCHANGES)[number]): ConverseExchange {
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(FIXTURES, name, file), 'utf8'))
  return { reply: read('reply.json'), stream: framed(read('events.json')), neutral: read('neutral.json') }
}

export function framed(events: readonly WireEvent[]): Buffer {
  return Buffer.concat(events.map(([type, body]) => eventOf(type, body)))
}
