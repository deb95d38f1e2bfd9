import { type Static, Type } from '@sinclair/typebox'
import { LOG_LEVELS, LOG_SOURCES } from '../../core/log.ts'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { pageQuerySchema } from '../../http/pagination.ts'
import type { ConsoleEntry } from './ring.ts'

const Word = nullable(Type.String())

export const CONSOLE_SORTS = ['seq'] as const

export const ConsoleQuery = pageQuerySchema(CONSOLE_SORTS, {
  level: Type.Optional(choice(LOG_LEVELS)),
  source: Type.Optional(choice(LOG_SOURCES)),
  after_seq: Type.Optional(Type.String({ description: 'only what came after this entry' })),
  follow: Type.Optional(choice(['true', 'false'])),
})

export const ConsoleWire = Type.Object(
  {
    seq: Type.Integer({ minimum: 1 }),
    at: Type.String({ format: 'date-time' }),
    level: choice(LOG_LEVELS),
    source: choice(LOG_SOURCES),
    message: Type.String(),
    request_id: Word,
    key_prefix: Word,
    account: Word,
    fields: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
  },
  CLOSED,
)

export function consoleToWire(entry: ConsoleEntry): Static<typeof ConsoleWire> {
  const { seq, level, source, message, account } = entry
  return {
    seq,
    at: new Date(entry.atMs).toISOString(),
    level,
    source,
    message,
    request_id: entry.requestId,
    key_prefix: entry.keyPrefix,
    account,
    fields: { ...entry.fields },
  }
}
