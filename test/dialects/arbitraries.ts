/** Random replies and streams, for laws that hold for all of them. */
import * as fc from 'fast-check'
import { NO_USAGE, type Usage } from '../../src/core/usage.ts'
import type { ChatReply, Opaque, StopReason } from '../../src/dialects/neutral.ts'

type ReplyPart = ChatReply['parts'][number]

/** Whole characters: half of one is nothing that a model says. */
const TEXT = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
const NAME = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/)
const ARGUMENTS = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.integer(), TEXT, fc.boolean()), {
  maxKeys: 3,
})
const TOKENS = fc.nat(100_000)

export const USAGES: fc.Arbitrary<Usage> = fc
  .record({ inputUncached: TOKENS, cacheRead: TOKENS, cacheWrite5m: TOKENS, output: TOKENS, share: fc.nat(100) })
  .map(({ share, ...counts }) => ({ ...NO_USAGE, ...counts, reasoning: Math.floor((counts.output * share) / 100) }))

/** Replies of models whose state, if they give any, looks like `opaque`, with at least one part and a reason to stop that fits the parts. */
export function replies(opaque: Opaque | undefined): fc.Arbitrary<ChatReply> {
  const part: fc.Arbitrary<ReplyPart> = fc.oneof(
    TEXT.map((text) => ({ type: 'text' as const, text })),
    TEXT.map((text) => ({ type: 'reasoning' as const, text, redacted: false, ...(opaque && { opaque }) })),
    TEXT.map((text) => ({ type: 'refusal' as const, text })),
    fc.tuple(NAME, ARGUMENTS).map(([name, value]) => ({
      type: 'tool-call' as const,
      id: '',
      name,
      kind: 'function' as const,
      argumentsText: JSON.stringify(value),
    })),
  )
  const parts = fc.array(part, { minLength: 1, maxLength: 6 }).map(numbered)
  return fc.tuple(parts, USAGES, fc.boolean()).map(([made, usage, isCut]) => ({
    parts: made,
    usage,
    finish: { reason: isCut ? 'length' : reasonOf(made) },
  }))
}

function numbered(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  return parts.map((part, index) => (part.type === 'tool-call' ? { ...part, id: `call_${index}` } : part))
}

function reasonOf(parts: readonly ReplyPart[]): StopReason {
  if (parts.some(({ type }) => type === 'tool-call')) return 'tool-calls'
  return parts.some(({ type }) => type === 'refusal') ? 'refusal' : 'stop'
}
