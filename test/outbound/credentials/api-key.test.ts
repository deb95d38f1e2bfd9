import { expect, test } from 'bun:test'
import { anthropic } from '../../../src/catalog/providers/anthropic.ts'
import { ollama } from '../../../src/catalog/providers/ollama.ts'
import { openai } from '../../../src/catalog/providers/openai.ts'
import type { AuthScheme, ProviderSpec } from '../../../src/catalog/provider.ts'
import { authHeaders, type Credentials } from '../../../src/outbound/credentials/api-key.ts'

const version = { 'anthropic-version': '2023-06-01' }
const key = { api_key: 'k-1' }

const elsewhere: ProviderSpec = {
  ...openai,
  id: 'x',
  auth: { ...openai.auth, keyHeader: { name: 'x-token', prefix: 'Token ' } },
}

const cases: readonly (readonly [ProviderSpec, AuthScheme, Credentials, Record<string, string>])[] = [
  [anthropic, 'x-api-key', key, { ...version, 'x-api-key': 'k-1' }],
  [anthropic, 'bearer', key, { ...version, authorization: 'Bearer k-1' }],
  [openai, 'bearer', key, { authorization: 'Bearer k-1' }],
  [ollama, 'bearer', {}, {}],
  [ollama, 'none', key, {}],
  [openai, 'api-key', key, { 'api-key': 'k-1' }],
  [openai, 'x-goog-api-key', key, { 'x-goog-api-key': 'k-1' }],
  [elsewhere, 'bearer', key, { 'x-token': 'Token k-1' }],
  [elsewhere, 'none', key, {}],
]

for (const [provider, scheme, credentials, headers] of cases) {
  test(`${provider.id} as ${scheme} ${'api_key' in credentials ? 'with' : 'without'} a key`, () => {
    expect(authHeaders(provider, scheme, credentials)).toEqual(headers)
  })
}
