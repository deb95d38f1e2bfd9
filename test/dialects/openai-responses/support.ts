/** What the tests of this dialect share: contexts and the wire text of events. */
import type { ReplyContext } from '../../../src/dialects/dialect.ts'
import { seededRandom } from '../../support/random.ts'

export function replyContext(more: Partial<ReplyContext> = {}): ReplyContext {
  return { vendor: 'openai', quirks: {}, toolNames: new Map(), random: seededRandom(1), ...more }
}

export function sse(payload: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`
}
