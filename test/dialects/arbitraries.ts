/** Random replies and conversations, for laws that hold for all of them. */
import * as fc from 'fast-check'
import { NO_USAGE, type Usage } from '../../src/core/usage.ts'
import type { MediaKind } from '../../src/dialects/dialect.ts'
import type {
  ChatReply,
  ChatRequest,
  DocumentPart,
  ImagePart,
  Message,
  Opaque,
  Part,
  StopReason,
  ToolCallPart,
  ToolResultPart,
} from '../../src/dialects/neutral.ts'
import { PDF, PNG } from './samples/sample.ts'
import { REQUEST } from './samples/wire.ts'

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

/** Blank text is nothing that anyone says: formats refuse it, and it is left out. */
const WORDS = TEXT.filter((text) => text.trim() !== '')

const IMAGE: ImagePart = { type: 'image', source: { kind: 'base64', mime: 'image/png', data: PNG } }
const DOCUMENT: DocumentPart = {
  type: 'document',
  source: { kind: 'base64', mime: 'application/pdf', data: PDF, filename: 'report.pdf' },
  title: 'report.pdf',
}
const OFFERED = ['weather', 'search'] as const

/** What one assistant's turn says, calls and gets as results. */
interface Round {
  readonly thinks: boolean
  readonly says: string | undefined
  readonly calls: readonly (readonly [name: string, args: object, result: string, isError: boolean])[]
  readonly asks: string
  readonly media: readonly MediaKind[]
}

function rounds(media: readonly MediaKind[]): fc.Arbitrary<readonly Round[]> {
  const call = fc.tuple(fc.constantFrom(...OFFERED), ARGUMENTS, WORDS, fc.boolean())
  const round = fc.record({
    thinks: fc.boolean(),
    says: fc.option(WORDS, { nil: undefined }),
    calls: fc.array(call, { maxLength: 3 }),
    asks: WORDS,
    media: media.length === 0 ? fc.constant([]) : fc.array(fc.constantFrom(...media), { maxLength: 2 }),
  })
  return fc.array(round, { minLength: 1, maxLength: 4 })
}

/**
 * Requests with a conversation that could have been: questions with pictures and documents, thinking with state like `opaque`,
 * calls of tools that are offered, and each call's result before anything else is said.
 */
export function requests(
  opaque: Opaque | undefined,
  media: readonly MediaKind[],
  system = WORDS,
): fc.Arbitrary<ChatRequest> {
  return fc.tuple(system, WORDS, rounds(media)).map(([instruction, question, made]) => ({
    ...REQUEST,
    system: [{ type: 'text', text: instruction }],
    messages: [
      { role: 'user', parts: [{ type: 'text', text: question }] },
      ...made.flatMap((round, index) => turnsOf(round, index, opaque)),
    ],
    tools: OFFERED.map((name) => ({
      kind: 'function',
      name,
      description: `to ${name}`,
      schema: { type: 'object', properties: { city: { type: 'string' } } },
    })),
  }))
}

function turnsOf(round: Round, index: number, opaque: Opaque | undefined): readonly Message[] {
  const calls = round.calls.map(([name, args], at): ToolCallPart => ({
    type: 'tool-call',
    id: `call_${index}_${at}`,
    name,
    kind: 'function',
    argumentsText: JSON.stringify(args),
  }))
  const results = round.calls.map(([, , text, isError], at): ToolResultPart => ({
    type: 'tool-result',
    callId: `call_${index}_${at}`,
    parts: [{ type: 'text', text }],
    isError,
  }))
  const said: readonly Part[] = [{ type: 'text', text: round.says ?? 'Well.' }]
  const thought: readonly Part[] =
    round.thinks && opaque !== undefined ? [{ type: 'reasoning', text: 'Hm.', opaque, redacted: false }] : []
  const asked: readonly Part[] = round.media.map((kind) => (kind === 'image' ? IMAGE : DOCUMENT))
  return [
    { role: 'assistant', parts: [...thought, ...(round.says === undefined && calls.length > 0 ? [] : said), ...calls] },
    { role: 'user', parts: [...results, ...asked, { type: 'text', text: round.asks }] },
  ]
}
