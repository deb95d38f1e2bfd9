/** A streamed answer of `POST /v1/messages`, read as any client of the gateway reads it. */

export interface MessageStream {
  /** Called with each piece of text. */
  readonly onText: (text: string) => void
}

export interface StreamEnd {
  readonly inputTokens: number
  readonly outputTokens: number
}

interface Usage {
  readonly input_tokens?: number
  readonly cache_read_input_tokens?: number | null
  readonly cache_creation_input_tokens?: number | null
  readonly output_tokens?: number
}

interface StreamEvent {
  readonly type: string
  readonly message?: { readonly usage?: Usage }
  readonly delta?: { readonly type?: string; readonly text?: string; readonly partial_json?: string }
  readonly usage?: Usage
  readonly error?: { readonly message?: string }
}

/** Reads to the end. Throws when the stream holds an error or ends before its last event. */
export async function readMessages(body: ReadableStream<Uint8Array>, { onText }: MessageStream): Promise<StreamEnd> {
  let usage: Usage = {}
  for await (const data of eventsOf(body)) {
    const event = JSON.parse(data) as StreamEvent // our own gateway writes it
    usage = { ...usage, ...event.message?.usage, ...event.usage }
    const text = event.delta?.text ?? event.delta?.partial_json
    if (text !== undefined) onText(text)
    if (event.type === 'error') throw new Error(event.error?.message ?? 'The stream ended with an error.')
    if (event.type === 'message_stop') return totals(usage)
  }
  throw new Error('The answer was cut off.')
}

function totals(usage: Usage): StreamEnd {
  const { input_tokens = 0, cache_read_input_tokens, cache_creation_input_tokens, output_tokens = 0 } = usage
  const inputTokens = input_tokens + (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0)
  return { inputTokens, outputTokens: output_tokens }
}

/** The `data` of each server-sent event, however the network has cut them. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    pending += decoder.decode(value, { stream: true })
    const frames = pending.split(/\r?\n\r?\n/)
    pending = frames.pop() ?? ''
    for (const frame of frames) {
      const data = dataOf(frame)
      if (data !== '') yield data
    }
  }
}

function dataOf(frame: string): string {
  const lines = frame.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return lines.map((line) => line.slice('data:'.length).trimStart()).join('\n')
}
