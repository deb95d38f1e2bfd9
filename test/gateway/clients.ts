/** The three kinds of client as tests see them: what they send, and what they make of what comes back. */
import type { ClientRequest } from '../support/app.ts'

export interface Client {
  readonly name: 'messages' | 'chat' | 'responses'
  readonly path: string
  /** The smallest body that asks `text`, with `more` beside it. */
  body(model: string, text?: string, more?: object): Record<string, unknown>
  /** The text of a plain answer. */
  textOf(body: any): string // oxlint-disable-line typescript/no-explicit-any
}

/** A streamed answer as its client understands it. */
export interface Streamed {
  readonly text: string
  /** The proper end came. */
  readonly ended: boolean
  /** Type and code of an error event; code is null where the dialect has none. */
  readonly error: ErrorSeen | undefined
  readonly comments: number
}

export interface ErrorSeen {
  readonly type: string
  readonly code: string | null
  readonly message: string
}

const user = (text: string) => [{ role: 'user', content: text }]

export const MESSAGES: Client = {
  name: 'messages',
  path: '/v1/messages',
  body: (model, text = 'hello', more = {}) => ({ model, max_tokens: 64, messages: user(text), ...more }),
  textOf: (body) => body.content.map((block: { text?: string }) => block.text ?? '').join(''),
}

export const CHAT: Client = {
  name: 'chat',
  path: '/v1/chat/completions',
  body: (model, text = 'hello', more = {}) => ({ model, messages: user(text), ...more }),
  textOf: (body) => body.choices[0].message.content,
}

export const RESPONSES: Client = {
  name: 'responses',
  path: '/v1/responses',
  body: (model, text = 'hello', more = {}) => ({ model, input: text, ...more }),
  textOf: (body) =>
    body.output
      .flatMap((item: { content?: { text?: string }[] }) => item.content ?? [])
      .map((part: { text?: string }) => part.text ?? '')
      .join(''),
}

export const CLIENTS: readonly Client[] = [MESSAGES, CHAT, RESPONSES]

export function question(client: Client, model: string, more: object = {}): ClientRequest {
  return { body: client.body(model, 'hello', more) }
}

export function errorOf(body: unknown): ErrorSeen {
  const { type, code, message } = (body as { error: { type: string; code?: string | null; message: string } }).error
  return { type, code: code ?? null, message }
}

/** Reads the events of a stream with the means of a simple client: anything but whole events makes it throw. */
export function readStream(text: string): Streamed {
  const blocks = text.split('\n\n')
  if (blocks.pop() !== '') throw new Error(`the stream ends inside an event: ${text.slice(-200)}`)
  const seen = { text: '', ended: false, error: undefined as ErrorSeen | undefined, comments: 0 }
  for (const block of blocks) {
    if (block.startsWith(':')) seen.comments++
    else note(seen, dataOf(block))
  }
  return seen
}

function dataOf(block: string): string {
  const lines = block.split('\n')
  const data = lines.filter((line) => line.startsWith('data: '))
  if (data.length !== 1 || lines.length > 2) throw new Error(`not one event: ${block}`)
  return data[0]?.slice('data: '.length) ?? ''
}

function note(seen: { -readonly [Field in keyof Streamed]: Streamed[Field] }, data: string): void {
  if (data === '[DONE]') {
    seen.ended = true
    return
  }
  const event = JSON.parse(data)
  if (event.error) seen.error = errorOf(event)
  else if (event.type === 'response.failed') seen.error = { type: 'response.failed', ...event.response.error }
  else if (event.type === 'message_stop' || event.type === 'response.completed') seen.ended = true
  else if (event.type === 'content_block_delta') seen.text += event.delta.text ?? ''
  else if (event.type === 'response.output_text.delta') seen.text += event.delta
  else if (Array.isArray(event.choices)) seen.text += event.choices[0]?.delta.content ?? ''
}
