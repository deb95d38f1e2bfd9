/**
 * The provider of the benchmark, as its own process: Chat Completions over bare HTTP/1.1, with as little work as possible. What
 * it answers is in the model's name: `plain`, or `stream-<deltas>-<milliseconds between two>`; behind `flapping-`, every other
 * time a failure. Prints its port.
 */
import type { Socket } from 'bun'
import { announcePort } from './child.ts'
import { stamp } from './clock.ts'

const HEAD_END = Buffer.from('\r\n\r\n')
/** Model and options are looked for at both ends of a body; what lies between is only counted. */
const LOOKED_AT_BYTES = 512
const STREAM_TICK_MS = 2

const PLAIN_BODY = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'plain',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A short answer.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
})
const PLAIN_REPLY = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${PLAIN_BODY.length}\r\n\r\n${PLAIN_BODY}`,
)
const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'

/** A provider that breaks down says now this, now that. */
const FAILURES = [
  failure('500 Internal Server Error', 'server_error'),
  failure('503 Service Unavailable', 'overloaded_error'),
]

interface Incoming {
  head: Buffer
  /** Body bytes still to come; -1 while the head is incomplete. */
  missing: number
  first: Buffer
  last: Buffer
}

interface OpenStream {
  readonly socket: Socket<Incoming>
  readonly everyMs: number
  readonly usage: boolean
  left: number
  dueMs: number
}

const streams = new Map<Socket<Incoming>, OpenStream>()
const asked = { times: 0, flapping: 0 }

const listener = Bun.listen<Incoming>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open: (socket) => void (socket.data = nothingYet(Buffer.alloc(0))),
    data: receive,
    close: (socket) => void streams.delete(socket),
    error: (socket) => void streams.delete(socket),
  },
})
setInterval(sendDue, STREAM_TICK_MS)
announcePort(listener.port)

function nothingYet(head: Buffer): Incoming {
  return { head, missing: -1, first: Buffer.alloc(0), last: Buffer.alloc(0) }
}

function receive(socket: Socket<Incoming>, bytes: Buffer): void {
  const { data } = socket
  if (data.missing < 0) {
    data.head = data.head.length === 0 ? Buffer.from(bytes) : Buffer.concat([data.head, bytes])
    const end = data.head.indexOf(HEAD_END)
    if (end < 0) return
    const head = data.head.toString('latin1', 0, end)
    if (head.startsWith('GET ')) return answerQuestion(socket, head.startsWith('GET /asked '))
    data.missing = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    takeBody(socket, data.head.subarray(end + HEAD_END.length))
  } else takeBody(socket, bytes)
}

/** `GET /` tells how many streams are open: how a benchmark sees that a hang-up has arrived. `GET /asked`: how often it was asked. */
function answerQuestion(socket: Socket<Incoming>, isHowOften: boolean): void {
  const body = String(isHowOften ? asked.times : streams.size)
  socket.data = nothingYet(Buffer.alloc(0))
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
}

function takeBody(socket: Socket<Incoming>, bytes: Buffer): void {
  const { data } = socket
  if (data.first.length < LOOKED_AT_BYTES) data.first = Buffer.concat([data.first, bytes.subarray(0, LOOKED_AT_BYTES)])
  data.last = Buffer.from(bytes.subarray(-LOOKED_AT_BYTES))
  data.missing -= bytes.length
  if (data.missing > 0) return
  const { first, last } = data
  socket.data = nothingYet(Buffer.alloc(0))
  answer(socket, first.toString('latin1'), last.includes('include_usage'))
}

function answer(socket: Socket<Incoming>, body: string, usage: boolean): void {
  asked.times++
  const failed = /"model" ?: ?"[^"]*flapping-/.test(body) ? nextFlap() : undefined
  if (failed !== undefined) return void socket.write(failed)
  const [, deltas, everyMs] = /"model" ?: ?"[^"]*stream-(\d+)-(\d+)"/.exec(body) ?? []
  if (deltas === undefined) return void socket.write(PLAIN_REPLY)
  const stream = { socket, usage, everyMs: Number(everyMs), left: Number(deltas), dueMs: performance.now() }
  streams.set(socket, stream)
  socket.write(STREAM_HEAD)
  sendDelta(stream)
}

/** Undefined every other time: then it answers. */
function nextFlap(): Buffer | undefined {
  const nth = asked.flapping++
  return nth % 2 === 0 ? FAILURES[(nth / 2) % FAILURES.length] : undefined
}

function sendDue(): void {
  const nowMs = performance.now()
  for (const stream of streams.values()) if (stream.dueMs <= nowMs) sendDelta(stream)
}

function sendDelta(stream: OpenStream): void {
  stream.dueMs += stream.everyMs
  stream.socket.write(chunk({ choices: [{ index: 0, delta: { content: stamp() }, finish_reason: null }] }))
  if (--stream.left > 0) return
  streams.delete(stream.socket)
  const usage = stream.usage
    ? chunk({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } })
    : ''
  const end = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
  stream.socket.write(`${end}${usage}${framed('data: [DONE]\n\n')}0\r\n\r\n`)
}

function chunk(fields: object): string {
  const event = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'stream', ...fields }
  return framed(`data: ${JSON.stringify(event)}\n\n`)
}

function framed(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

function failure(status: string, type: string): Buffer {
  const body = JSON.stringify({ error: { message: 'This did not work.', type, code: null } })
  return Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}
