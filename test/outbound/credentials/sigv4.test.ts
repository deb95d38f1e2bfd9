import { expect, test } from 'bun:test'
import type { Credentials } from '../../../src/outbound/credentials/api-key.ts'
import { signerFor, type CallToSign } from '../../../src/outbound/credentials/signer.ts'
import { openai } from '../../../src/catalog/providers/openai.ts'
import type { ProviderSpec } from '../../../src/catalog/provider.ts'
import { HandClock } from '../../support/clock.ts'
import { claimOf, expectedSignature, type ReceivedRequest } from '../../support/sigv4.ts'

/**
 * First that the tests' own reckoning is right, by the vectors that AWS publishes; then that our signatures are what it reckons.
 * https://github.com/awslabs/aws-c-auth/tree/main/tests/aws-signing-test-suite/v4 (read 2026-11-21)
 */
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const SUITE = { accessKeyId: 'AKIDEXAMPLE', region: 'us-east-1', service: 'service' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const vectors: readonly (readonly [
  name: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
  signature: string,
])[] = [
  ['get-vanilla', 'GET', '/', {}, '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['post-vanilla', 'POST', '/', {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'get-vanilla-query-order-key-case',
    'GET',
    '/?Param2=value2&Param1=value1',
    {},
    '',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-unreserved',
    'GET',
    '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    {},
    '',
    '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  ],
  [
    'post-x-www-form-urlencoded',
    'POST',
    '/',
    FORM,
    'Param1=value1',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
]

for (const [name, method, path, headers, body, signature] of vectors) {
  test(`${name}: the tests reckon as AWS does`, () => {
    const all = { ...headers, host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' }
    const claim = { ...SUITE, signedHeaders: Object.keys(all).toSorted() }
    expect(expectedSignature({ method, path, headers: all, body }, claim, SECRET)).toBe(signature)
  })
}

const provider: ProviderSpec = { ...openai, auth: { ...openai.auth, schemes: ['sigv4'], signedService: 'bedrock' } }
const KEY = { access_key_id: 'AKIDEXAMPLE', secret_access_key: SECRET, region: 'eu-west-1' }
const HOST = 'bedrock-runtime.eu-west-1.amazonaws.com'
const clock = new HandClock(Date.UTC(2026, 10, 21, 9, 8, 7, 654))

/** Signs a call and gives it back as AWS would receive it. */
async function received(call: Partial<CallToSign> & { readonly path: string }, credentials: Credentials = KEY) {
  const access = { provider, authType: 'sigv4', credentials, allowPrivateNetwork: false } as const
  const send = () => Promise.reject(new Error('a signature asks nobody'))
  const { path, method = 'POST', body = '', headers = {} } = call
  const url = `https://${HOST}${path}`
  const signed = await signerFor(access, { clock, send })?.sign({
    method,
    url,
    headers,
    body,
    signal: new AbortController().signal,
  })
  if (signed?.ok !== true) return signed?.error
  expect(signed.value.url).toBe(url)
  return { method, path, body, headers: { ...signed.value.headers, host: HOST } }
}

const calls: readonly (readonly [what: string, call: Partial<CallToSign> & { readonly path: string }])[] = [
  ['a plain call', { path: '/model/m/converse', body: '{"messages":[]}' }],
  ['bytes as they are', { path: '/model/m/converse', body: Uint8Array.from([0, 255, 128, 10]) }],
  ['a long body', { path: '/model/m/converse', body: 'é'.repeat(100_000) }],
  ['many bytes', { path: '/model/m/converse', body: new Uint8Array(100_000).fill(200) }],
  ['a call without a body', { path: '/models', method: 'GET' }],
  ['a model with an escaped colon', { path: '/model/us.anthropic.claude-x-v1%3A0/invoke', body: '{}' }],
  ['an ARN, escaped', { path: '/model/arn%3Aaws%3Abedrock%3A%3A1%3Ainference-profile%2Fp/invoke', body: '{}' }],
  ['a query out of order', { path: '/models?b=2&a=1%202', method: 'GET' }],
  ['a header of theirs', { path: '/model/m/invoke', headers: { 'x-amz-trace': 'a  b', accept: 'x' }, body: '{}' }],
]

for (const [what, call] of calls) {
  test(`${what} carries the signature that AWS reckons`, async () => {
    const request = (await received(call)) as ReceivedRequest
    const claim = claimOf(request)
    expect(claim).toMatchObject({ accessKeyId: 'AKIDEXAMPLE', region: 'eu-west-1', service: 'bedrock' })
    expect(claim.signature).toBe(expectedSignature(request, claim, SECRET))
    expect(request.headers['x-amz-date']).toBe('20261121T090807Z')
  })
}

test('host, date and every header of AWS are signed, others are not', async () => {
  const request = (await received({ path: '/', headers: { 'x-amz-trace': '1', accept: 'x' } })) as ReceivedRequest
  expect(claimOf(request).signedHeaders).toEqual(['host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-trace'])
})

test('a session token goes along, signed', async () => {
  const request = (await received({ path: '/' }, { ...KEY, session_token: 'a/session+token=' })) as ReceivedRequest
  const claim = claimOf(request)
  expect(request.headers['x-amz-security-token']).toBe('a/session+token=')
  expect(claim.signedHeaders).toContain('x-amz-security-token')
  expect(claim.signature).toBe(expectedSignature(request, claim, SECRET))
})

test('another body has another signature', async () => {
  const [one, other] = [await received({ path: '/', body: 'a' }), await received({ path: '/', body: 'b' })]
  const signatures = [one, other].map((request) => claimOf(request as ReceivedRequest).signature)
  expect(signatures[0]).not.toBe(signatures[1])
})

test('credentials that are not there are bad credentials', async () => {
  expect(await received({ path: '/' }, {})).toMatchObject({ kind: 'auth' })
  expect(await received({ path: '/' }, { ...KEY, secret_access_key: '' })).toMatchObject({ kind: 'auth' })
})
