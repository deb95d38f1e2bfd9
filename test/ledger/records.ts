import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NO_USAGE } from '../../src/core/usage.ts'
import type {
  AttemptClosed,
  AttemptOpened,
  AttemptReservation,
  RequestClosed,
  RequestOpened,
} from '../../src/ledger/record.ts'
import type { AttemptChange, Changes, RequestChange } from '../../src/ledger/statements.ts'

const NOTHING_RESERVED: AttemptReservation = { costNano: 0, inputTokens: 0, outputTokens: 0, counters: [] }
const MIGRATIONS = join(import.meta.dir, '../../drizzle/telemetry')

/** A telemetry database as the migrations make it; in memory without a path. */
export function telemetry(path = ':memory:'): Database {
  const database = new Database(path, { create: true, strict: true })
  database.run('PRAGMA journal_mode = WAL')
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))
  for (const name of files.toSorted()) database.run(readFileSync(join(MIGRATIONS, name), 'utf8'))
  return database
}

/** Makes the tables refuse like a full disk, until called again. */
export function fillDisk(database: Database): () => void {
  const pages = database.query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0
  database.run(`PRAGMA max_page_count = ${pages}`)
  return () => database.run('PRAGMA max_page_count = 1000000')
}

export function requestOpened(more: Partial<RequestOpened> = {}): RequestOpened {
  return {
    id: 'req_1',
    atMs: Date.UTC(2026, 0, 15, 12),
    keyId: 'key_1',
    planId: null,
    tags: { team: 'red' },
    client: 'claude-code',
    endpoint: 'messages',
    dialectIn: 'anthropic-messages',
    modelAsked: 'anthropic/claude-x',
    stream: true,
    facts: {
      inputTokensEstimate: 12,
      tools: 1,
      images: 0,
      documents: 0,
      thinking: false,
      structuredOutput: false,
      maxTokens: 100,
    },
    skills: ['skl_1'],
    sessionId: 'ses-1',
    userTag: null,
    traceId: null,
    ipHash: 'abc',
    ...more,
  }
}

export function requestClosed(more: Partial<RequestClosed> = {}): RequestClosed {
  return {
    id: 'req_1',
    status: 'ok',
    failure: null,
    http: 200,
    provider: 'anthropic',
    accountId: 'acc_1',
    modelUsed: 'claude-x',
    dialectOut: 'anthropic-messages',
    usage: { ...NO_USAGE, inputUncached: 10, output: 5, reasoning: 2 },
    costNano: 1_500,
    costSource: 'priced',
    msTotal: 120,
    msFirstToken: 40,
    msGateway: 0.25,
    dropped: ['top_k'],
    route: [{ provider: 'anthropic', model: 'claude-x', accountId: 'acc_1', outcome: 'ok', reason: null }],
    stopReason: 'end_turn',
    ...more,
  }
}

export function attemptOpened(more: Partial<AttemptOpened> = {}): AttemptOpened {
  return {
    id: 'att_1',
    requestId: 'req_1',
    position: 0,
    atMs: Date.UTC(2026, 0, 15, 12),
    provider: 'anthropic',
    accountId: 'acc_1',
    model: 'claude-x',
    dialectOut: 'anthropic-messages',
    state: 'sent',
    reservation: NOTHING_RESERVED,
    ...more,
  }
}

export function attemptClosed(more: Partial<AttemptClosed> = {}): AttemptClosed {
  return {
    id: 'att_1',
    requestId: 'req_1',
    state: 'settled',
    failure: null,
    detail: null,
    http: 200,
    upstreamRequestId: 'up_1',
    usage: { ...NO_USAGE, inputUncached: 10, output: 5, reasoning: 2 },
    costNano: 1_500,
    costSource: 'priced',
    msTotal: 110,
    msFirstToken: 39,
    ...more,
  }
}

/** What one transaction writes, by ids. */
export function changes(
  requests: Iterable<readonly [string, RequestChange]>,
  attempts: Iterable<readonly [string, AttemptChange]> = [],
): Changes {
  return { requests: new Map(requests), attempts: new Map(attempts), acts: [] }
}
