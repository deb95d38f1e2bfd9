/** Answers that are framed, labelled or packed otherwise than they should be, in whichever way they were asked for. */
import { gzipSync } from 'node:zlib'
import type { Play } from '../support/provider.ts'
import { json, raw, stream, text } from '../support/plays.ts'
import { turn } from '../support/until.ts'
import { ANSWERED, cutBy, failed, type Fault, plays } from './fault.ts'
import { answerBody, answerType, begin, type Voice } from './voice.ts'

const BROKEN = failed('server')
/** The provider answered in good HTTP. */
const KEPT = failed('server', { keeps: true })
const EMPTY = failed('empty', { keeps: true })
const SSE = { 'content-type': 'text/event-stream' }
const PAGE = '<!doctype html><html><body><h1>Welcome</h1></body></html>'

/** More than any plain answer may have, of almost no bytes. */
const BOMB_BYTES = 80 * 1024 * 1024
const BOMB = gzipSync(Buffer.alloc(BOMB_BYTES, 0x20), { level: 9 })

/** A whole answer with these headers. */
const headed = (voice: Voice, headers: readonly string[], body: string | Uint8Array = answerBody(voice)): Play =>
  raw(head(200, [`content-type: ${answerType(voice)}`, ...headers]), body)
const head = (status: number, headers: readonly string[] = []): string =>
  `HTTP/1.1 ${status} Played\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`
const sized = (voice: Voice): string => `content-length: ${Buffer.byteLength(answerBody(voice))}`
const chunk = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`
const CHUNKED = 'transfer-encoding: chunked'

/** Bytes, then the end of the connection. */
const andEnd =
  (play: Play): Play =>
  async (stage) => {
    await play(stage)
    stage.cut()
  }

function fine(name: string, play: (voice: Voice) => Play): Fault {
  return { name, host: plays(play), outcome: ANSWERED }
}
function broken(name: string, play: (voice: Voice) => Play): Fault {
  return { name, host: plays(play), outcome: BROKEN }
}

/** How answers are framed. */
const FRAMED: readonly Fault[] = [
  fine('an interim 100', (voice) => raw(head(100), head(200, [sized(voice)]), answerBody(voice))),
  fine('an interim 103', (voice) =>
    raw(head(103, ['link: </a>; rel=preload']), head(200, [sized(voice)]), answerBody(voice)),
  ),
  broken('a flood of interim replies', (voice) =>
    raw(head(100).repeat(1_000), head(200, [sized(voice)]), answerBody(voice)),
  ),
  broken('interim replies without end', () => endless(head(102))),
  broken('a change of protocol', () => raw(head(101, ['upgrade: websocket', 'connection: upgrade']))),
  fine('two lengths that agree', (voice) => headed(voice, [sized(voice), sized(voice)])),
  broken('two lengths that differ', (voice) => headed(voice, [sized(voice), 'content-length: 7'])),
  broken('a length that is no number', (voice) => headed(voice, ['content-length: many'])),
  broken('a negative length', (voice) => headed(voice, ['content-length: -1'])),
  {
    name: 'a length that is too long, and an end',
    host: plays((voice) => andEnd(headed(voice, ['content-length: 99999']))),
    outcome: { plain: BROKEN, streamed: ANSWERED },
  },
  {
    name: 'a length that is too short',
    host: plays((voice) => headed(voice, [`content-length: ${shortened(voice).length}`])),
    outcome: { plain: BROKEN, streamed: cutBy('cut') },
  },
  fine('no length, and an end', (voice) => andEnd(headed(voice, ['connection: close']))),
  fine('chunks with extensions and trailers', (voice) =>
    raw(head(200, [CHUNKED]), `${chunk(answerBody(voice)).replace('\r\n', ';name="value"\r\n')}0\r\nx-sum: 1\r\n\r\n`),
  ),
  fine('a byte at a time', (voice) => dripped(head(200, [sized(voice)]) + answerBody(voice))),
  broken('chunks whose size is no number', (voice) => headed(voice, [CHUNKED], 'zz\r\nhello\r\n')),
  broken('a chunk of nearly endless size', (voice) => andEnd(headed(voice, [CHUNKED], 'ffffffffffffffff\r\n'))),
  broken('a coding under the chunks', (voice) => headed(voice, ['transfer-encoding: gzip, chunked'])),
  broken('a giant header', (voice) => headed(voice, [`x-padding: ${'x'.repeat(100_000)}`, sized(voice)])),
  broken('hundreds of headers', (voice) =>
    headed(voice, [...Array.from({ length: 300 }, (_, at) => `x-header-${at}: 1`), sized(voice)]),
  ),
  broken('a header without end', () => endless(`x-padding: ${'x'.repeat(1_000)}\r\n`, 'HTTP/1.1 200 OK\r\n')),
  broken('a header that is none', (voice) => headed(voice, ['this is no header', sized(voice)])),
  broken('a header that goes on in the next line', (voice) => headed(voice, ['x-folded: one\r\n two', sized(voice)])),
  broken('another protocol', () => andEnd(raw('SSH-2.0-OpenSSH_9.9\r\n\r\n'))),
  broken('the answer of another version of HTTP', () =>
    andEnd(raw(Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0), '\r\n\r\n')),
  ),
  broken('a reset instead of an answer', () => (stage) => stage.reset()),
  broken('an end instead of an answer', () => (stage) => stage.cut()),
  broken('an end inside the head', () => andEnd(raw('HTTP/1.1 200 OK\r\ncontent-ty'))),
]

/** How they are packed. */
const PACKED: readonly Fault[] = [
  fine('a compression that nobody asked for', (voice) => compressed(voice, gzipSync(answerBody(voice)))),
  kept('a compression that nobody knows', (voice) => headed(voice, ['content-encoding: bogus', sized(voice)])),
  kept('a compression that is none', (voice) => compressed(voice, Buffer.from(answerBody(voice)))),
  {
    name: 'a compression that is cut off',
    modes: ['plain'],
    host: plays((voice) => compressed(voice, gzipSync(answerBody(voice)).subarray(0, 40))),
    outcome: KEPT,
  },
  kept('a bomb of compressed blanks', (voice) => compressed(voice, BOMB)),
]

/** How they are labelled, and what is in them instead. */
const LABELLED: readonly Fault[] = [
  fine('no content type', (voice) => raw(head(200, [sized(voice)]), answerBody(voice))),
  fine('a content type of plain text', (voice) => text(answerBody(voice), 200, { 'content-type': 'text/plain' })),
  {
    name: 'a web page',
    host: plays(() => text(PAGE, 200, { 'content-type': 'text/html' })),
    outcome: KEPT,
  },
  unsaid('a web page that is called an answer', (voice) => text(PAGE, 200, { 'content-type': answerType(voice) })),
  unsaid('nothing', (voice) => text('', 200, { 'content-type': answerType(voice) })),
  unsaid('no content', () => raw(head(204))),
  ...['null', '[]', '"hello"', '{}', '{"object":"list","data":[]}', '{"choices":', '[[['].map((body) =>
    kept(`the answer ${body}`, () => text(body, 200, { 'content-type': 'application/json' })),
  ),
  kept('an answer nested without sense', () => text('['.repeat(100_000), 200, { 'content-type': 'application/json' })),
  {
    name: 'a plain answer where a stream was due',
    modes: ['streamed'],
    host: plays((voice) => json(voice.speaker.reply('Hi there.'))),
    outcome: ANSWERED,
  },
  {
    name: 'a plain answer that is called a stream',
    modes: ['streamed'],
    host: plays((voice) => text(JSON.stringify(voice.speaker.reply('Hi there.')), 200, SSE)),
    outcome: EMPTY,
  },
  {
    name: 'a stream where a plain answer was due',
    modes: ['plain'],
    host: plays((voice) => stream(voice.speaker.stream(['Hi ', 'there.']))),
    outcome: KEPT,
  },
]

export const ANSWERS: readonly Fault[] = [...FRAMED, ...PACKED, ...LABELLED]

function kept(name: string, play: (voice: Voice) => Play): Fault {
  return { name, host: plays(play), outcome: KEPT }
}

/** A stream without any event of an answer is an empty one. */
function unsaid(name: string, play: (voice: Voice) => Play): Fault {
  return { name, host: plays(play), outcome: { plain: KEPT, streamed: EMPTY } }
}

function compressed(voice: Voice, body: Uint8Array): Play {
  return headed(voice, ['content-encoding: gzip', `content-length: ${body.length}`], body)
}

/** Of a stream what has content, of a plain answer a half. */
function shortened(voice: Voice): Buffer {
  const body = Buffer.from(answerBody(voice))
  return voice.mode === 'plain' ? body.subarray(0, body.length / 2) : Buffer.from(begin(voice).join(''))
}

/** The same again and again, for as long as it is read. */
function endless(piece: string, first = ''): Play {
  return async (stage) => {
    const reader = { isGone: false }
    void stage.request.hungUp.then(() => (reader.isGone = true))
    stage.raw(first)
    while (!reader.isGone) {
      stage.raw(piece.repeat(20))
      await stage.drained()
      await turn()
    }
  }
}

function dripped(answer: string): Play {
  return async (stage) => {
    for (const byte of Buffer.from(answer)) {
      stage.raw(Uint8Array.of(byte))
      await turn()
    }
  }
}
