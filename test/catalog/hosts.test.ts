import { describe, expect, test } from 'bun:test'
import { endpointsFor } from '../../src/catalog/endpoints.ts'
import type { ProviderEndpoint, ProviderSpec } from '../../src/catalog/provider.ts'
import { vendorOf } from '../../src/catalog/vendor.ts'

const endpoint = (baseUrl: string, models?: readonly string[]): ProviderEndpoint => ({
  dialect: 'openai-chat',
  baseUrl,
  quirks: {},
  ...(models === undefined ? {} : { models }),
})

describe('the endpoints that serve a model', () => {
  const served = (endpoints: ProviderSpec['endpoints'], model: string) =>
    endpointsFor({ endpoints }, model).map(({ baseUrl }) => baseUrl)

  test('are those without patterns and those with one that matches, in their order', () => {
    const all = [endpoint('a'), endpoint('b', ['*anthropic.claude-*', 'exact']), endpoint('c', ['other-*'])] as const
    expect(served(all, 'us.anthropic.claude-opus-4-6-v1')).toEqual(['a', 'b'])
    expect(served(all, 'exact')).toEqual(['a', 'b'])
    expect(served(all, 'nova')).toEqual(['a'])
  })

  test('are all of them when none says that it serves the model', () => {
    expect(served([endpoint('b', ['x-*']), endpoint('c', ['y-*'])], 'nova')).toEqual(['b', 'c'])
  })
})

describe('whose state it is', () => {
  const vendors = [{ vendor: 'anthropic', models: ['*claude-*'] }]
  const CASES: readonly (readonly [
    name: string,
    spec: Pick<ProviderSpec, 'vendor' | 'vendors'>,
    model: string,
    vendor: string,
  ])[] = [
    ['the host’s own', { vendor: 'host' }, 'claude-5', 'host'],
    ['the maker’s, where the host hands it through', { vendor: 'host', vendors }, 'us.anthropic.claude-5', 'anthropic'],
    ['the host’s own, for models of nobody named', { vendor: 'host', vendors }, 'nova', 'host'],
  ]
  for (const [name, spec, model, vendor] of CASES) test(name, () => expect(vendorOf(spec, model)).toBe(vendor))
})
