/** Files of strangers, fetched within bounds. The internet is played on loopback, its timers are cranked by hand. */
import { afterEach, describe, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { Deadlines } from '../../src/core/deadlines.ts'
import type { Failure } from '../../src/core/failure.ts'
import type { Result } from '../../src/core/result.ts'
import { makeSend } from '../../src/outbound/connector.ts'
import {
  ADDRESS_LENGTH_MAX,
  type FetchPublic,
  FETCHES_MAX,
  makeFetchPublic,
  type PublicFile,
  type PublicRequest,
  REDIRECTS_MAX,
} from '../../src/outbound/fetch-public.ts'
import { HandClock } from '../support/clock.ts'
import { addressOf, INTERNET, playInternet } from '../support/internet.ts'
import { cut, redirect, reset, silence, stream, text } from '../support/plays.ts'
import { type Play, type Provider } from '../support/provider.ts'
import { turn } from '../support/until.ts'

const BYTES_MAX = 1_000

const hosts: Provider[] = []
afterEach(() => hosts.splice(0).forEach((host) => host.stop()))

function play(...script: readonly Play[]): Provider {
  const host = playInternet(script)
  hosts.push(host)
  return host
}

interface Bench {
  readonly clock?: HandClock
  readonly signal?: AbortSignal
}

async function check(url: string, bench: Bench = {}): Promise<Result<PublicFile, Failure>> {
  return await fetcher(bench)(requestTo(url, bench))
}

function requestTo(url: string, { signal = new AbortController().signal }: Bench): PublicRequest {
  return { url, accept: 'image/*', bytesMax: BYTES_MAX, signal }
}

function fetcher({ clock = new HandClock() }: Bench): FetchPublic {
  const send = makeSend({
    ...INTERNET,
    clock,
    proxy: undefined,
    isOwnListener: () => false,
    portsAllowed: new Set(),
  })
  return makeFetchPublic({ send, deadlines: new Deadlines(clock) })
}

/** The file's text, or the kind of the failure. */
function outcome(fetched: Result<PublicFile, Failure>): string {
  return fetched.ok ? Buffer.from(fetched.value.bytes).toString() : fetched.error.kind
}

describe('a file', () => {
  test('a file comes with its status, its type and where it was found', async () => {
    const host = play(text('a picture', 200, { 'content-type': 'image/png' }))
    const fetched = await check(addressOf(host, '/a.png?size=1'))
    expect(fetched).toMatchObject({
      ok: true,
      value: { url: addressOf(host, '/a.png?size=1'), status: 200, contentType: 'image/png' },
    })
    expect(outcome(fetched)).toBe('a picture')
  })

  test('the host learns nothing but what is wanted', async () => {
    const host = play(text('x'))
    await check(addressOf(host, '/a'))
    const { headers } = host.requests[0] ?? { headers: {} }
    expect(Object.keys(headers).toSorted()).toEqual(
      expect.arrayContaining(['accept', 'accept-encoding', 'host', 'user-agent']),
    )
    for (const name of ['authorization', 'cookie', 'x-api-key', 'referer']) expect(headers).not.toHaveProperty(name)
    expect(headers).toMatchObject({ accept: 'image/*', 'accept-encoding': 'identity' })
  })

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['identity', (bytes) => bytes],
  ])('a file that its host keeps as %s is decoded', async (coding, encode) => {
    const body = encode(Buffer.from('a picture'))
    const host = play((stage) => stage.reply(200, { 'content-encoding': coding }, body))
    expect(outcome(await check(addressOf(host, '/')))).toBe('a picture')
  })

  test.each<[string, Play]>([
    ['says that it is too long', (stage) => stage.reply(200, {}, Buffer.alloc(BYTES_MAX + 1))],
    ['turns out to be too long', stream([Buffer.alloc(600), Buffer.alloc(600)])],
    [
      'is short as it is sent, and too long when it is decoded',
      (stage) => stage.reply(200, { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(8 * 1024 * 1024))),
    ],
    [
      'is too long as it is sent, and short when it is decoded',
      (stage) => {
        const empty = gzipSync(Buffer.alloc(0))
        stage.reply(200, { 'content-encoding': 'gzip' }, Buffer.concat(Array<Buffer>(100).fill(empty)))
      },
    ],
  ])('a file that %s is given up', async (_, script) => {
    expect(outcome(await check(addressOf(play(script), '/')))).toBe('too_large')
  })

  test('a file of exactly the longest length is taken', async () => {
    const host = play(text('x'.repeat(BYTES_MAX)))
    expect(outcome(await check(addressOf(host, '/')))).toHaveLength(BYTES_MAX)
  })

  test.each<[string, Play, string]>([
    ['a coding that nobody asked for', (stage) => stage.reply(200, { 'content-encoding': 'compress' }, 'x'), 'server'],
    ['two codings', (stage) => stage.reply(200, { 'content-encoding': 'gzip, br' }, 'x'), 'server'],
    ['bytes that are not what they claim', (stage) => stage.reply(200, { 'content-encoding': 'gzip' }, 'x'), 'server'],
    ['a connection that breaks', reset, 'server'],
    ['an end in the middle', cut, 'server'],
  ])('%s ends in a failure', async (_, script, kind) => {
    expect(outcome(await check(addressOf(play(script), '/')))).toBe(kind)
  })

  test('an error of the host is a file with its status', async () => {
    const fetched = await check(addressOf(play(text('gone', 404)), '/'))
    expect(fetched).toMatchObject({ ok: true, value: { status: 404 } })
  })
})

describe('a redirect', () => {
  test('is followed, to an address of another host or a path of the same', async () => {
    const far = play(text('found'))
    const near = play(redirect('/b?c=d'), redirect(addressOf(far, '/e')))
    const fetched = await check(addressOf(near, '/a'))
    expect(outcome(fetched)).toBe('found')
    expect(fetched).toMatchObject({ value: { url: addressOf(far, '/e') } })
    expect(near.requests.map(({ path }) => path)).toEqual(['/a', '/b?c=d'])
  })

  test('is followed as often as allowed, and no more', async () => {
    const hops = (count: number): Play[] => Array.from({ length: count }, (_, hop) => redirect(`/${hop + 1}`, 302))
    const enough = play(...hops(REDIRECTS_MAX), text('found'))
    expect(outcome(await check(addressOf(enough, '/0')))).toBe('found')
    const more = play(...hops(REDIRECTS_MAX + 1), text('never'))
    expect(outcome(await check(addressOf(more, '/0')))).toBe('server')
    expect(more.requests).toHaveLength(REDIRECTS_MAX + 1)
  })

  test.each([
    'https://127.0.0.1/',
    'https://10.0.0.1/admin',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:169.254.169.254]/',
    'https://files.example:6379/',
    'https://user:secret@files.example/',
    'http://files.example/',
    '//0x7f.1/',
    'file:///etc/passwd',
    'gopher://files.example/',
  ])('to %s is refused like the address itself', async (location) => {
    const host = play(redirect(location, 302), text('never'))
    expect(outcome(await check(addressOf(host, '/')))).toBe('forbidden')
    expect(host.requests).toHaveLength(1)
  })

  test('to no address is an answer that is none', async () => {
    expect(outcome(await check(addressOf(play(redirect('https://[', 302)), '/')))).toBe('server')
  })

  test('without an address, and a status that only sounds like one, are files', async () => {
    expect(await check(addressOf(play(text('x', 302)), '/'))).toMatchObject({ value: { status: 302 } })
    const listed = play(text('x', 300, { location: 'https://10.0.0.1/' }))
    expect(await check(addressOf(listed, '/'))).toMatchObject({ value: { status: 300 } })
  })
})

test('an address that is too long is not called, nor one that a redirect gives', async () => {
  const long = `/${'a'.repeat(ADDRESS_LENGTH_MAX)}`
  const host = play(redirect(long, 302))
  expect(outcome(await check(addressOf(host, long)))).toBe('forbidden')
  expect(outcome(await check(addressOf(host, '/')))).toBe('forbidden')
  expect(host.requests).toHaveLength(1)
})

describe('a host that is slow', () => {
  /** Lets `stepMs` pass again and again; after each step the host says one more piece, unless it has fallen silent. */
  async function waiting(stepMs: number, steps: number, pieces: number): Promise<string> {
    const clock = new HandClock()
    const gates = Array.from({ length: pieces }, () => Promise.withResolvers<void>())
    const never = new Promise<void>(() => {})
    const host = play(pieces === 0 ? silence : stream(['x', ...gates.flatMap(({ promise }) => [promise, 'x']), never]))
    const fetched = check(addressOf(host, '/'), { clock })
    await host.request(0)
    for (let step = 0; step < steps; step++) {
      await Promise.all(Array.from({ length: 20 }, turn))
      clock.advance(stepMs)
      gates[step]?.resolve()
    }
    return outcome(await fetched)
  }

  test('to begin is given up', async () => {
    expect(await waiting(10_200, 1, 0)).toBe('timeout')
  })

  test('to go on is given up', async () => {
    expect(await waiting(9_000, 3, 1)).toBe('timeout')
  })

  test('and never stops is given up', async () => {
    expect(await waiting(6_000, 6, 10)).toBe('timeout')
  })
})

test('a caller that leaves is heard, at once and in the middle', async () => {
  const left = new AbortController()
  const host = play(stream(['x', new Promise<void>(() => {})]))
  const fetched = check(addressOf(host, '/'), { signal: left.signal })
  await host.request(0)
  left.abort()
  expect(outcome(await fetched)).toBe('cancelled')
  expect(outcome(await check(addressOf(host, '/'), { signal: left.signal }))).toBe('cancelled')
  expect(host.requests).toHaveLength(1)
})

test('a fetch more than may be under way at once is refused, and there is room again when they are over', async () => {
  const left = new AbortController()
  const host = play(...Array.from({ length: FETCHES_MAX }, () => silence), text('x'))
  const fetchPublic = fetcher({})
  const busy = Array.from({ length: FETCHES_MAX }, () => fetchPublic(requestTo(addressOf(host, '/'), left)))
  const refused = await fetchPublic(requestTo(addressOf(host, '/'), {}))
  expect(refused).toMatchObject({ ok: false, error: { kind: 'limited', retryAfterMs: 1_000 } })
  left.abort()
  expect(new Set((await Promise.all(busy)).map(outcome))).toEqual(new Set(['cancelled']))
  expect(outcome(await fetchPublic(requestTo('ftp://example.com/', {})))).toBe('forbidden')
})
