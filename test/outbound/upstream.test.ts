import { expect, test } from 'bun:test'
import { azureDeployments } from '../../src/catalog/providers/azure-deployments.ts'
import { bedrock } from '../../src/catalog/providers/bedrock.ts'
import { ollama } from '../../src/catalog/providers/ollama.ts'
import { openai } from '../../src/catalog/providers/openai.ts'
import { vertex } from '../../src/catalog/providers/vertex.ts'
import type { ProviderSpec } from '../../src/catalog/provider.ts'
import type { AddressFields } from '../../src/outbound/address-template.ts'
import { chatPathOf, originsOf, upstreamPolicy, upstreamUrl } from '../../src/outbound/upstream.ts'

/** Where calls go and under which policy, for accounts that fill something into their provider's address. */
const at = (fields: AddressFields, baseUrlOverride: string | null = null) => ({
  baseUrlOverride,
  allowPrivateNetwork: true,
  fields,
})
const PROJECT = '/v1/projects/p-1/locations'

const addresses: readonly (readonly [provider: ProviderSpec, fields: AddressFields, url: string])[] = [
  [bedrock, { region: 'eu-west-1' }, 'https://bedrock-runtime.eu-west-1.amazonaws.com/chat'],
  [
    vertex,
    { location: 'europe-west4', project_id: 'p-1' },
    `https://europe-west4-aiplatform.googleapis.com${PROJECT}/europe-west4/publishers/google/chat`,
  ],
  [
    vertex,
    { location: 'global', project_id: 'p-1' },
    `https://aiplatform.googleapis.com${PROJECT}/global/publishers/google/chat`,
  ],
  [
    vertex,
    { location: 'eu', project_id: 'p-1' },
    `https://aiplatform.eu.rep.googleapis.com${PROJECT}/eu/publishers/google/chat`,
  ],
  [openai, {}, 'https://api.openai.com/v1/chat'],
]

for (const [provider, fields, url] of addresses) {
  test(`${provider.id} with ${JSON.stringify(fields)} is called at ${new URL(url).host}, as one of ours`, () => {
    const [endpoint] = provider.endpoints
    expect(upstreamUrl(provider, endpoint, at(fields), '/chat')).toBe(url)
    expect(upstreamPolicy(provider, endpoint, at(fields))).toEqual({ kind: 'trusted' })
    expect([...originsOf(provider, fields)]).toEqual([new URL(url).origin])
  })
}

test('a path may hold the model and fields of the account, none of which leaves its place', () => {
  const [endpoint] = azureDeployments.endpoints
  const path = chatPathOf(endpoint, { chatPath: () => '/unused' }, 'my/{resource}?x', false)
  const url = upstreamUrl(azureDeployments, endpoint, at({ resource: 'mine', api_version: '2024-10-21' }), path, '?a=b')
  expect(url).toBe(
    'https://mine.openai.azure.com/openai/deployments/my%2F%7Bresource%7D%3Fx/chat/completions?a=b&api-version=2024-10-21',
  )
})

const escapes = ['evil.example/', 'evil.example#', 'a@evil.example', 'x:1', '..', 'a.b', '%2F', '\\evil']
for (const region of escapes) {
  test(`a region ${region} that got past its pattern stays on the provider’s host, or is not trusted`, () => {
    const [endpoint] = bedrock.endpoints
    const host = URL.parse(upstreamUrl(bedrock, endpoint, at({ region }), '/chat'))?.host
    const { kind } = upstreamPolicy(bedrock, endpoint, at({ region }))
    expect(kind === 'owner' || host?.endsWith('.amazonaws.com')).toBe(true)
  })
}

test('an address that lacks a field is nobody’s origin', () => {
  expect([...originsOf(bedrock, {})]).toEqual([])
})

test('an account with an address of its own is judged as its owner’s, whatever its fields', () => {
  const [endpoint] = bedrock.endpoints
  const elsewhere = at({ region: 'eu-west-1' }, 'https://proxy.example.com/')
  expect(upstreamUrl(bedrock, endpoint, elsewhere, '/chat')).toBe('https://proxy.example.com/chat')
  expect(upstreamPolicy(bedrock, endpoint, elsewhere)).toEqual({ kind: 'owner', allowPrivateNetwork: true })
})

test('a plain address of ours is judged when it is called', () => {
  const [endpoint] = ollama.endpoints
  expect(upstreamPolicy(ollama, endpoint, at({}))).toEqual({ kind: 'owner', allowPrivateNetwork: true })
})
