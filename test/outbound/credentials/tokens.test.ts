import { generateKeyPairSync, verify } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openai } from '../../../src/catalog/providers/openai.ts'
import type { AuthScheme, ProviderSpec } from '../../../src/catalog/provider.ts'
import { makeSend } from '../../../src/outbound/connector.ts'
import { RENEWED_BEFORE_END_MS } from '../../../src/outbound/credentials/access-tokens.ts'
import type { Credentials } from '../../../src/outbound/credentials/api-key.ts'
import { signerFor, type Signer } from '../../../src/outbound/credentials/signer.ts'
import { EXCHANGE_MS } from '../../../src/outbound/credentials/token-endpoint.ts'
import type { Send } from '../../../src/outbound/transport.ts'
import { HandClock } from '../../support/clock.ts'
import { after, cut, json, redirect, silence, text } from '../../support/plays.ts'
import { closedPort, playProvider, type Play, type Provider } from '../../support/provider.ts'
import { SERVICE_ACCOUNT_EMAIL, SERVICE_ACCOUNT_PUBLIC_KEY, serviceAccountJson } from '../../support/service-account.ts'
import { turn, until } from '../../support/until.ts'

/** Credentials that are exchanged for a token, at an endpoint on loopback and through the real way out. */
let endpoint: Provider
let clock: HandClock
beforeEach(() => {
  endpoint = playProvider()
  clock = new HandClock(Date.UTC(2026, 10, 21, 12))
})
afterEach(() => endpoint.stop())

const serviceAccount = (more: object = {}) => ({
  service_account: serviceAccountJson(`${endpoint.url}/token`, more),
})
const SHORT_PEM = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const PUBLIC_PEM = SERVICE_ACCOUNT_PUBLIC_KEY.export({ type: 'spki', format: 'pem' })
const CLIENT = {
  tenant_id: 'contoso.example',
  client_id: 'app-1',
  client_secret: 'a secret & more',
  scope: 'x/.default',
}

const provider: ProviderSpec = {
  ...openai,
  auth: {
    schemes: ['gcp-sa', 'oauth-client'],
    headers: {},
    tokenUrl: 'https://login.example.com/{tenant_id}/oauth2/v2.0/token',
    fields: Object.keys({ ...CLIENT, service_account: '' }).map((name) => ({
      name,
      label: name,
      secret: name === 'client_secret' || name === 'service_account',
      required: true,
    })),
  },
}

/** The real way out; what goes to the catalogue's sign-in host arrives at the played endpoint. */
function wayOut(): Send {
  const send = makeSend({
    clock,
    lookup: async () => [],
    proxy: undefined,
    isOwnListener: () => false,
    portsAllowed: new Set(),
  })
  return (request) => {
    if (!request.url.startsWith('https://login.example.com')) return send(request)
    expect(request.policy).toEqual({ kind: 'trusted' })
    const url = request.url.replace('https://login.example.com', endpoint.url)
    return send({ ...request, url, policy: { kind: 'owner', allowPrivateNetwork: true } })
  }
}

function signerOf(authType: AuthScheme, credentials: Credentials, allowPrivateNetwork = true): Signer {
  const signer = signerFor({ provider, authType, credentials, allowPrivateNetwork }, { clock, send: wayOut() })
  if (signer === undefined) throw new Error('this scheme signs nothing')
  return signer
}

const google = () => signerOf('gcp-sa', serviceAccount())
const entra = () => signerOf('oauth-client', CLIENT)

async function sign(signer: Signer, signal = new AbortController().signal) {
  const call = {
    method: 'POST',
    url: 'https://api.example.com/v1',
    headers: { accept: 'x' },
    body: '{}',
    signal,
  } as const
  const signed = await signer.sign(call)
  return signed.ok ? signed.value : signed.error
}

const token = (value: string, expires_in: unknown = 3_600) =>
  json({ access_token: value, expires_in, token_type: 'Bearer' })
const bearer = (value: string) => ({
  url: 'https://api.example.com/v1',
  headers: { accept: 'x', authorization: `Bearer ${value}` },
})

describe('a service account', () => {
  test('signs a statement about itself, which its endpoint exchanges', async () => {
    endpoint.play(token('ya29.one'))
    expect(await sign(google())).toEqual(bearer('ya29.one'))
    const [request] = endpoint.requests
    const form = new URLSearchParams(request?.text())
    expect(request).toMatchObject({ method: 'POST', path: '/token' })
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const isSigned = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${claims}`),
      SERVICE_ACCOUNT_PUBLIC_KEY,
      Buffer.from(signature, 'base64url'),
    )
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect([isSigned, read(head)]).toEqual([true, { alg: 'RS256', typ: 'JWT', kid: 'key-1' }])
    const nowS = clock.nowMs() / 1_000
    expect(read(claims)).toEqual({
      iss: SERVICE_ACCOUNT_EMAIL,
      aud: `${endpoint.url}/token`,
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      iat: nowS,
      exp: nowS + 3_600,
    })
  })

  test('whose endpoint is private needs the opt-in', async () => {
    const refused = await sign(signerOf('gcp-sa', serviceAccount(), false))
    expect([refused, endpoint.requests.length]).toEqual([expect.objectContaining({ kind: 'connect' }), 0])
  })

  const unusable: readonly (readonly [what: string, credentials: () => Credentials])[] = [
    ['without a key file', () => ({})],
    ['with a key file that is no JSON', () => ({ service_account: '{' })],
    ['with a key that is none', () => serviceAccount({ private_key: 'secret' })],
    ['with a key that is too short to sign', () => serviceAccount({ private_key: SHORT_PEM })],
    ['with a public key', () => serviceAccount({ private_key: PUBLIC_PEM })],
  ]
  for (const [what, credentials] of unusable) {
    test(`${what} is bad credentials, and asks nobody`, async () => {
      expect(await sign(signerOf('gcp-sa', credentials()))).toMatchObject({ kind: 'auth' })
      expect(endpoint.requests).toEqual([])
    })
  }
})

describe('a client secret', () => {
  test('is exchanged at the tenant’s endpoint', async () => {
    endpoint.play(token('entra-1', '3599'))
    expect(await sign(entra())).toEqual(bearer('entra-1'))
    const [request] = endpoint.requests
    expect(request).toMatchObject({ method: 'POST', path: '/contoso.example/oauth2/v2.0/token' })
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(request?.text()))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'app-1',
      client_secret: 'a secret & more',
      scope: 'x/.default',
    })
  })

  test('that is missing is bad credentials', async () => {
    expect(await sign(signerOf('oauth-client', { ...CLIENT, client_secret: '' }))).toMatchObject({ kind: 'auth' })
  })
})

describe('a token', () => {
  test('is kept until a minute before its end', async () => {
    const signer = entra()
    endpoint.play(token('one'), token('two'))
    await sign(signer)
    clock.advance(3_600_000 - RENEWED_BEFORE_END_MS - 1)
    expect([await sign(signer), endpoint.requests.length]).toEqual([bearer('one'), 1])
    clock.advance(1)
    expect([await sign(signer), endpoint.requests.length]).toEqual([bearer('two'), 2])
  })

  test('that says nothing of its life is good for one call', async () => {
    const signer = entra()
    endpoint.play(token('one', null), token('two', 'soon'))
    expect([await sign(signer), await sign(signer)]).toEqual([bearer('one'), bearer('two')])
  })

  test('is asked for once, however many calls wait for it', async () => {
    const signer = entra()
    const { promise, resolve } = Promise.withResolvers<void>()
    endpoint.play(after(promise, token('one')))
    const calls = Array.from({ length: 50 }, () => sign(signer))
    await endpoint.request(0)
    resolve()
    expect(await Promise.all(calls)).toEqual(calls.map(() => bearer('one')))
    expect(endpoint.requests.length).toBe(1)
  })

  test('still comes for the others when one call is ended', async () => {
    const signer = entra()
    const { promise, resolve } = Promise.withResolvers<void>()
    endpoint.play(after(promise, token('one')))
    const ended = new AbortController()
    const [first, second] = [sign(signer, ended.signal), sign(signer)]
    await endpoint.request(0)
    ended.abort()
    expect(await first).toMatchObject({ kind: 'cancelled' })
    resolve()
    expect(await second).toEqual(bearer('one'))
  })

  test('is known as a secret as long as it is kept', async () => {
    const signer = entra()
    expect(signer.secrets()).toEqual([])
    endpoint.play(token('one'))
    await sign(signer)
    expect([signer.secrets(), Bun.inspect(signer, { depth: 10 })]).toEqual([
      ['one'],
      expect.not.stringContaining('one'),
    ])
  })
})

const THEIRS = 'secret words of theirs'
const failures: readonly (readonly [what: string, play: Play, kind: string])[] = [
  ['a refused client', json({ error: 'invalid_client', error_description: THEIRS }, 401), 'auth'],
  ['a refused statement', json({ error: 'invalid_grant', error_description: THEIRS }, 400), 'auth'],
  ['a refusal without words', text(THEIRS, 403), 'auth'],
  ['a limit', json({ error: THEIRS }, 429), 'server'],
  ['a fault', text(THEIRS, 500), 'server'],
  ['a page', text(`<html>${THEIRS}</html>`), 'server'],
  ['no token', json({ expires_in: 3_600, id_token: THEIRS }), 'server'],
  ['a token that would break out of its header', json({ access_token: 'a\r\nb' }), 'server'],
  ['a token beyond all bounds', json({ access_token: 'a'.repeat(16_385) }), 'server'],
  ['a redirect, which is not followed', redirect('https://elsewhere.example/token'), 'server'],
  ['an answer that breaks off', cut, 'server'],
]

describe('an endpoint that answers with', () => {
  for (const [what, play, kind] of failures) {
    test(`${what} is ${kind}, in our words, and is asked again by the next call`, async () => {
      const signer = entra()
      endpoint.play(play, token('two'))
      const failed = await sign(signer)
      expect(failed).toMatchObject({ kind })
      expect(JSON.stringify(failed)).not.toContain(THEIRS)
      expect(await sign(signer)).toEqual(bearer('two'))
    })
  }

  test('nothing is a timeout', async () => {
    endpoint.play(silence)
    const failed = sign(entra())
    await endpoint.request(0)
    clock.advance(EXCHANGE_MS)
    expect(await failed).toMatchObject({ kind: 'timeout' })
  })

  test('a closed door cannot be reached', async () => {
    const credentials = serviceAccount({ token_uri: `http://127.0.0.1:${closedPort()}/token` })
    expect(await sign(signerOf('gcp-sa', credentials))).toMatchObject({ kind: 'connect' })
  })
})

test('a call that is ended before it is signed waits for nothing', async () => {
  endpoint.play(silence)
  expect(await sign(entra(), AbortSignal.abort())).toMatchObject({ kind: 'cancelled' })
  await until(() => endpoint.requests.length === 1, 'the exchange')
  await turn()
})
