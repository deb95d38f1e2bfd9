/** What providers sent or print in their documentation, a folder per exchange; each dialect's README cites the sources. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DialectId } from '../../src/catalog/dialect-id.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { ChatReply } from '../../src/dialects/neutral.ts'

const FIXTURES = join(import.meta.dir, '../fixtures')

export interface Exchange {
  readonly name: string
  readonly request: JsonObject
  readonly stream: Uint8Array
  readonly reply: JsonObject
  readonly neutral: ChatReply
}

/** All of one dialect, by name. */
export function exchangesOf(dialect: DialectId): readonly Exchange[] {
  return folders(join(FIXTURES, dialect)).map((folder) => ({
    name: folder.slice(folder.lastIndexOf('/') + 1),
    request: json(folder, 'request.json') as JsonObject,
    stream: readFileSync(join(folder, 'stream.txt')),
    reply: json(folder, 'reply.json') as JsonObject,
    neutral: json(folder, 'neutral.json') as ChatReply,
  }))
}

/** The streams of a dialect alone; none for a dialect without fixtures of its own. */
export function recordedStreams(dialect: DialectId): readonly Uint8Array[] {
  const files = folders(join(FIXTURES, dialect)).map((folder) => join(folder, 'stream.txt'))
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file))
}

function folders(of: string): readonly string[] {
  if (!existsSync(of)) return []
  const entries = readdirSync(of, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return entries.map(({ name }) => join(of, name)).toSorted()
}

function json(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'))
}
