import type { JsonObject } from '../../../src/core/json.ts'
import { inputTokens, NO_USAGE } from '../../../src/core/usage.ts'
import type { ChatReply, Finish } from '../../../src/dialects/neutral.ts'
import { openaiCompletions } from '../../../src/dialects/openai-completions/index.ts'
import { framesOf } from '../streams.ts'
import { merged, type ClientSample } from './sample.ts'

/** Legacy completions, which no provider is asked in. */
export const completions: ClientSample = {
  id: 'openai-completions',
  // Text and nothing else, two figures, and whether it was cut or withheld.
  carried: (reply) => {
    const { finish, usage, ...rest } = reply
    const said = merged({ ...reply, parts: reply.parts.map(asText) }, 'text', (text) => ({ type: 'text', text }))
    const { output } = usage
    return {
      ...rest,
      parts: said,
      finish: { reason: REASONS[finishWord(finish)] ?? 'stop' },
      usage: { ...NO_USAGE, inputUncached: inputTokens(usage), output },
    }
  },
  citesLinks: false,
  carriesState: false,
  textAlone: true,
  client: {
    dialect: openaiCompletions,
    framing: 'sse',
    bodies: [
      { model: 'm', prompt: 'Hi' },
      { model: 'm', prompt: ['Hi'], system: 'Be brief.' },
      { model: 'm', stream: true, stream_options: { include_usage: true }, system: 'A\n\nB', prompt: 'What is it?' },
    ],
    continued: (answer) => ({ model: 'm', prompt: `q\n${textOf(answer)}\ngo on` }),
    counted: { usage: { prompt_tokens: 97, completion_tokens: 40, total_tokens: 137 } },
    ears: { plain: heard, stream: heardStream },
  },
}

function asText(part: ChatReply['parts'][number]): ChatReply['parts'][number] {
  return part.type === 'refusal' ? { type: 'text', text: part.text } : part
}

const REASONS: Readonly<Record<string, Finish['reason']>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'refusal',
}

function finishWord({ reason }: Finish): string {
  if (reason === 'length' || reason === 'context') return 'length'
  return reason === 'refusal' ? 'content_filter' : 'stop'
}

/** What a client sees of a `text_completion`. https://platform.openai.com/docs/api-reference/completions/object (read 2026-11-21) */
interface Completion {
  readonly choices: readonly { readonly text: string; readonly finish_reason: string | null }[]
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null
  readonly error?: { readonly message: string }
}

function textOf(body: JsonObject): string {
  return (body as unknown as Completion).choices.map(({ text }) => text).join('')
}

function heard(body: JsonObject): ChatReply {
  return told([body as unknown as Completion])
}

/** As the official library reads it: chunk by chunk until the mark, throwing what is an error. */
function heardStream(bytes: Uint8Array): ChatReply {
  const data = framesOf('sse', bytes).flatMap((frame) => (frame.data === '' ? [] : [frame.data]))
  const end = data.indexOf('[DONE]')
  const chunks = data.slice(0, end < 0 ? data.length : end).map((text): Completion => JSON.parse(text))
  for (const { error } of chunks) if (error !== undefined) throw new Error(error.message)
  if (end < 0) throw new Error('the stream has no end')
  return told(chunks)
}

function told(chunks: readonly Completion[]): ChatReply {
  const choices = chunks.flatMap((chunk) => chunk.choices)
  const text = choices.map((choice) => choice.text).join('')
  const words = choices.flatMap(({ finish_reason }) => finish_reason ?? [])
  const usage = chunks.flatMap((chunk) => chunk.usage ?? []).at(-1)
  if (words.length !== 1) throw new Error(`${words.length} reasons to stop`)
  return {
    parts: text === '' ? [] : [{ type: 'text', text }],
    finish: { reason: REASONS[words[0] ?? ''] ?? 'other' },
    usage: { ...NO_USAGE, inputUncached: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 },
  }
}
