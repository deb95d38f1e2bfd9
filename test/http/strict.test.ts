import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { isWellFormedHost, pathOf, strictFailure } from '../../src/http/strict.ts'

/** The checks behind the runtime's own parser, asked over a socket: what it lets through is what has to be caught. */
let server: ReturnType<typeof Bun.serve>

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url, headers }) => new Response(strictFailure(url, headers)?.message ?? `let through ${pathOf(url)}`),
  })
})
afterAll(() => server.stop(true))

/** The body of the answer to these request lines. */
function answerTo(path: string, headers: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(server.port ?? 0, '127.0.0.1', () => {
      socket.write([`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))
    })
    socket.on('data', (bytes) => (answer += bytes.toString()))
    socket.on('close', () => resolve(answer.split('\r\n\r\n')[1] ?? answer))
    socket.on('error', reject)
  })
}

describe('headers that decide who calls or where a body ends', () => {
  for (const name of ['Host', 'Authorization', 'x-api-key', 'x-goog-api-key', 'x-gateway-key']) {
    test(`two of ${name} are refused`, async () => {
      const host = name === 'Host' ? [] : ['Host: h.test']
      const answer = await answerTo('/v1/models', [...host, `${name}: a`, `${name.toUpperCase()}: b`])
      expect(answer).toContain(`${name.toLowerCase()} was sent more than once`)
    })
  }

  test('two content types and two lengths are refused', async () => {
    const types = ['Host: h.test', 'Content-Type: application/json', 'Content-Type: text/plain']
    expect(await answerTo('/v1/keys', types)).toContain('content-type was sent more than once')
    const lengths = ['Host: h.test', 'Content-Length: 0', 'Content-Length: 0']
    expect(await answerTo('/v1/keys', lengths)).toContain('content-length was sent more than once')
  })

  test('a comma inside one value is none of its business', async () => {
    const headers = ['Host: h.test', 'x-api-key: my,own,secret', 'Content-Type: multipart/form-data; boundary="a,b"']
    expect(await answerTo('/v1/keys', headers)).toBe('let through /v1/keys')
  })
})

describe('the Host', () => {
  for (const host of [
    '',
    'a b',
    'a/b',
    'user@host',
    'a?x',
    'a%41',
    'a:99999',
    'a:b',
    'a..b',
    '[::1',
    `${'a.'.repeat(200)}b`,
  ]) {
    test(`"${host.slice(0, 20)}" is refused`, async () => {
      expect(isWellFormedHost(host)).toBe(false)
      expect(await answerTo('/v1/keys', [`Host: ${host}`])).toContain('not a well-formed host')
    })
  }

  for (const host of [
    'localhost',
    'a',
    'gateway.home:4680',
    '127.0.0.1',
    '[::1]:4680',
    'xn--bcher-kva.example',
    'a_b.local.',
  ]) {
    test(`"${host}" is let through`, async () => {
      expect(await answerTo('/v1/keys', [`Host: ${host}`])).toBe('let through /v1/keys')
    })
  }
})

describe('the path', () => {
  for (const [path, reason] of [
    ['/v1/keys/a%2Fb', 'encoded slash'],
    ['/skills/..%2f..%2fkeys', 'encoded slash'],
    ['/v1/keys/a%5Cb', 'back-slash'],
    ['/v1/keys/a%00', 'NUL'],
    ['/v1/models/a%00', 'NUL'],
    ['/v1/models/a%5cb', 'back-slash'],
  ] as const) {
    test(`${path} is refused`, async () => {
      expect(await answerTo(path, ['Host: h.test'])).toContain(reason)
    })
  }

  for (const path of [
    '/v1/models/openrouter%2Fa%2Fb',
    '/v1/models/a/b/c',
    '/v1beta/models/a%2Fb:generateContent',
    '/v1/keys?q=a%2Fb%00',
  ]) {
    test(`${path} is let through`, async () => {
      expect(await answerTo(path, ['Host: h.test'])).toBe(`let through ${path.split('?')[0]}`)
    })
  }

  test('plain and encoded dot segments are resolved before anyone sees them', async () => {
    for (const path of ['/v1/models/../keys', '/v1/models/%2e%2e/keys', '/v1/./keys']) {
      expect(await answerTo(path, ['Host: h.test'])).toBe('let through /v1/keys')
    }
  })
})

test('the path of an address without one is the root', () => {
  expect([pathOf('http://a'), pathOf('http://a?q=/x'), pathOf('/v1/x?y'), pathOf('http://a/b#c')]).toEqual([
    '/',
    '/',
    '/v1/x',
    '/b',
  ])
})
