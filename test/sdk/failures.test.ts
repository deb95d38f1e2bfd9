/** Every official library × every dialect of a provider: what goes wrong is thrown as the library's own error, never a silent end. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChatReply } from '../../src/dialects/neutral.ts'
import { UPSTREAMS } from '../dialects/samples/index.ts'
import type { UpstreamSample } from '../dialects/samples/sample.ts'
import { json, silence, text as page } from '../support/plays.ts'
import type { Play } from '../support/provider.ts'
import { Bench, type Connection, NOWHERE, START_MS_MAX } from './bench.ts'
import { LIBRARIES } from './libraries/index.ts'
import type { Library, LibraryOf, Wish } from './libraries/library.ts'
import { sayUntil, text } from './vendors.ts'

/** From the client's leaving until the provider sees its connection closed. */
const GONE_MS_MAX = 250
/** In pieces, the first of which goes out before anything happens. */
const STORY: ChatReply = { ...text(''), parts: ['HeyHey', ' there.'].map((said) => ({ type: 'text', text: said })) }
const BEGUN = 'Hey'

interface Refusal {
  readonly name: string
  readonly play: Play
  /** As clients see it. */
  readonly status: number
  /** As clients of Messages see it, where that differs. */
  readonly statusOfMessages?: number
  readonly retryAfter?: string
}

const body = { message: 'so it is', error: { message: 'so it is' } }
const REFUSALS: readonly Refusal[] = [
  { name: 'a request that is wrong', play: json(body, 400), status: 400 },
  { name: 'the gateway’s own credential refused', play: json(body, 401), status: 502 },
  { name: 'a rate limit', play: json(body, 429, { 'retry-after': '7' }), status: 429, retryAfter: '7' },
  {
    name: 'an overload',
    play: json(body, 503, { 'retry-after': '7' }),
    status: 503,
    statusOfMessages: 529,
    retryAfter: '7',
  },
  { name: 'a failure', play: json(body, 500), status: 502 },
  { name: 'a page where an answer was due', play: page('<html>no</html>', 200), status: 502 },
]

let bench: Bench
beforeAll(async () => {
  bench = await Bench.open()
}, START_MS_MAX)
afterAll(() => bench?.[Symbol.asyncDispose]())

interface Cell {
  readonly library: Library
  readonly connection: Connection
}

type Open = () => Promise<Cell>

/** What a failure does to an account is seen by whoever asks it next. */
function opener(libraryOf: LibraryOf, vendor: UpstreamSample): Open {
  return async () => {
    const connection = await bench.connect(vendor)
    return { library: libraryOf(bench.site(connection.model)), connection }
  }
}

for (const libraryOf of LIBRARIES) {
  const { name, lacks } = libraryOf(NOWHERE)
  for (const [index, vendor] of UPSTREAMS.entries()) {
    describe(`${name} → ${vendor.id}`, () => {
      const open = opener(libraryOf, vendor)
      // How a library learns of a refused stream has nothing to do with who refused it.
      for (const streams of index === 0 ? [true, false] : [false])
        for (const refusal of REFUSALS)
          test(`${refusal.name}, ${how(streams)}`, async () => checkRefused(await open(), refusal, streams))

      let kept: Promise<Cell> | undefined
      const shared = (): Promise<Cell> => (kept ??= open())
      for (const then of ['error', 'cut', 'reset'] as const)
        test(`${then} inside a stream`, async () => checkBroken(await shared(), then))
      for (const streams of lacks.leavePlain === undefined ? [true, false] : [true])
        test(`a client that leaves, ${how(streams)}: its provider is let go`, async () =>
          checkLeft(await shared(), streams))
    })
  }

  for (const streams of [true, false]) {
    test(`${name}, ${how(streams)}: a wrong key`, () =>
      checkStatus(libraryOf({ ...bench.site('demo/echo'), secret: 'wrong' }), 401, streams))
    test(`${name}, ${how(streams)}: an unknown model`, () =>
      checkStatus(libraryOf(bench.site('nobody/nothing')), 404, streams))
  }
}

function how(streams: boolean): string {
  return streams ? 'streamed' : 'plain'
}

function say(library: Library, wish: Wish): Promise<unknown> {
  return library.ask([library.user('Hi')], wish)
}

async function failed(asked: Promise<unknown>): Promise<unknown> {
  const outcome = await asked.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (outcome === undefined) throw new Error('it did not fail')
  return outcome.error
}

async function checkRefused(
  { library, connection }: Cell,
  { play, status, statusOfMessages, retryAfter }: Refusal,
  streams: boolean,
): Promise<void> {
  connection.played.otherwise(play)
  const expected = library.dialect === 'anthropic-messages' ? (statusOfMessages ?? status) : status
  const thrown = await checkStatus(library, expected, streams)
  if (retryAfter !== undefined && library.lacks.retryAfter === undefined) expect(thrown.retryAfter).toBe(retryAfter)
}

async function checkStatus(library: Library, status: number, streams: boolean) {
  const thrown = library.thrown(await failed(say(library, { stream: streams })))
  expect({ name: thrown.name, status: thrown.status }).toEqual({ name: library.errorClass(status), status })
  return thrown
}

async function checkBroken({ library, connection }: Cell, then: 'error' | 'cut' | 'reset'): Promise<void> {
  const last = then === 'error' ? connection.facts.errorInside : then
  connection.played.play(sayUntil(connection, STORY, BEGUN, last))
  let heard = ''
  const error = await failed(say(library, { stream: true, heard: (piece) => void (heard += piece) }))
  expect(heard).toContain(BEGUN)
  expect(error).toBeInstanceOf(Error)
}

async function checkLeft({ library, connection }: Cell, streams: boolean): Promise<void> {
  const { played } = connection
  const before = played.requests.length
  const leaving = new AbortController()
  let leftAtMs = 0
  const leave = (): void => {
    leftAtMs = performance.now()
    leaving.abort()
  }
  played.play(streams ? sayUntil(connection, STORY, BEGUN, 'silence') : silence)
  const asked = failed(say(library, { stream: streams, signal: leaving.signal, ...(streams && { heard: leave }) }))
  const request = await played.request(before)
  if (!streams) leave()
  await asked
  expect((await request.hungUp) - leftAtMs).toBeLessThan(GONE_MS_MAX)
}
