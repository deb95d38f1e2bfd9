/**
 * Messages to Chat Completions as one would write it in an afternoon: parse, rename, stringify, no key, no skill, no ledger.
 * `argv[2]` is the upstream. Prints its port.
 */
import { announcePort, upstreamUrl } from './child.ts'

const upstream = upstreamUrl()

interface MessagesRequest {
  readonly model: string
  readonly max_tokens: number
  readonly stream?: boolean
  readonly messages: readonly unknown[]
}

interface ChatReply {
  readonly choices: readonly { readonly message: { readonly content: string } }[]
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

interface ChatChunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[]
}

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: translate })
announcePort(server.port)

async function translate(request: Request): Promise<Response> {
  const { model, max_tokens, stream, messages } = (await request.json()) as MessagesRequest
  const reply = await fetch(`${upstream}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens, messages, ...(stream === true ? { stream } : {}) }),
    signal: request.signal,
  })
  if (stream !== true) return Response.json(messageOf((await reply.json()) as ChatReply))
  const events = reply.body?.pipeThrough(new TextDecoderStream()).pipeThrough(translator()) ?? null
  return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
}

function messageOf({ choices, usage }: ChatReply) {
  const content = [{ type: 'text', text: choices[0]?.message.content }]
  const { prompt_tokens, completion_tokens } = usage
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content,
    usage: { input_tokens: prompt_tokens, output_tokens: completion_tokens },
  }
}

function translator(): TransformStream<string, Uint8Array> {
  const encoder = new TextEncoder()
  let rest = ''
  const event = (type: string, fields: object): Uint8Array =>
    encoder.encode(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  return new TransformStream({
    start: (out) => {
      out.enqueue(event('message_start', { message: { id: 'msg_1', type: 'message', role: 'assistant', content: [] } }))
      out.enqueue(event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }))
    },
    transform: (text, out) => {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block === 'data: [DONE]') continue
        const delta = (JSON.parse(block.slice('data: '.length)) as ChatChunk).choices[0]?.delta.content
        if (delta !== undefined)
          out.enqueue(event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: delta } }))
      }
    },
    flush: (out) => {
      out.enqueue(event('content_block_stop', { index: 0 }))
      out.enqueue(event('message_stop', {}))
    },
  })
}
