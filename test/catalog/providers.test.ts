import { readdirSync } from 'node:fs'
import { expect, test } from 'bun:test'
import { builtinProviders } from '../../src/catalog/providers/index.ts'

const folder = new URL('../../src/catalog/providers/', import.meta.url)

test('every file beside the list is in it, under its own name', () => {
  const files = readdirSync(folder).filter((name) => name !== 'index.ts')
  expect(builtinProviders.map(({ id }) => `${id}.ts`).toSorted()).toEqual(files.toSorted())
})

for (const provider of builtinProviders) {
  test(`${provider.id}: its addresses are whole, and only local ones are plain`, () => {
    for (const { baseUrl } of provider.endpoints) {
      expect(baseUrl).not.toEndWith('/')
      const { protocol } = new URL(baseUrl)
      expect(protocol).toBe(provider.kind === 'open-api' ? 'https:' : provider.kind === 'local' ? 'http:' : 'demo:')
    }
  })

  test(`${provider.id}: each dialect is there once, each pattern compiles, each model once`, () => {
    const dialects = provider.endpoints.map(({ dialect }) => dialect)
    expect(new Set(dialects).size).toBe(dialects.length)
    for (const { pattern } of provider.auth.fields) expect(() => new RegExp(`^(?:${pattern})$`)).not.toThrow()
    const ids = provider.models.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
}
