/** What the tests of this dialect share: its contexts, and how a server's lines are decoded and ours are read. */
import type { ModelCapabilities } from '../../../src/catalog/provider.ts'
import type { TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatEvent, ChatRequest } from '../../../src/dialects/neutral.ts'
import { ollama } from '../../../src/dialects/ollama/index.ts'
import { CAPABLE } from '../samples/sample.ts'
import { clientContext, replyContext } from '../samples/wire.ts'
import { decodeAll, encodeAll, framesOf } from '../streams.ts'

export const CHAT: ChatRequest = {
  model: 'ollama/qwen3',
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  sampling: {},
  stream: true,
  streamUsage: true,
  unknownFields: [],
}

export function target(capabilities: Partial<ModelCapabilities> = {}): TargetContext {
  return { model: 'qwen3', vendor: 'ollama', quirks: {}, capabilities: { ...CAPABLE, ...capabilities } }
}

/** Lines that are objects are written as JSON. */
export function decodeLines(...lines: readonly (object | string)[]): readonly ChatEvent[] {
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('')
  return decodeAll(ollama, framesOf('ndjson', Buffer.from(text)), replyContext('ollama'))
}

/** The lines of a rendered stream, parsed as the official client parses them. */
export function rendered(events: readonly ChatEvent[], dialect: Parameters<typeof encodeAll>[0] = ollama) {
  const lines = encodeAll(dialect, events, clientContext()).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}
