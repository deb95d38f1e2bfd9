import { readdirSync } from 'node:fs'
import { expect, test } from 'bun:test'
import type { AuthScheme, ProviderSpec } from '../../src/catalog/provider.ts'
import { builtinProviders } from '../../src/catalog/providers/index.ts'
import { addressFieldNames, filled, staysWithin } from '../../src/outbound/address-template.ts'

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

  test(`${provider.id}: what stands in its addresses is a field that every account has, open and of a form that is told`, () => {
    const inTokenUrl = [...(provider.auth.tokenUrl ?? '').matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name)
    for (const name of [...addressFieldNames(provider), ...inTokenUrl]) {
      const field = provider.auth.fields.find((one) => one.name === name)
      expect([field?.secret, typeof field?.pattern]).toEqual([false, 'string'])
      if (!inTokenUrl.includes(name)) expect(field).not.toHaveProperty('schemes')
      for (const bad of HOST_CHANGERS) expect(bad).not.toMatch(new RegExp(`^(?:${field?.pattern})$`, 'u'))
    }
  })

  test(`${provider.id}: what it says of regions and of data makes sense`, () => {
    const { auth, dataPolicy, regions } = provider as ProviderSpec
    if (auth.regionField !== undefined) expect(addressFieldNames(provider)).toContain(auth.regionField)
    expect([auth.regionField, regions]).toContain(undefined)
    if (dataPolicy?.zdr === true) expect(dataPolicy.retentionDays).toBe(0)
  })

  test(`${provider.id}: nothing that is filled in leads out of its domains`, () => {
    const templates = provider.endpoints.flatMap(({ baseUrl, baseUrlFor }) => [
      baseUrl,
      ...Object.values(baseUrlFor?.values ?? {}),
    ])
    for (const template of templates.filter((one) => one.includes('{'))) {
      const names = [...addressFieldNames(provider)]
      expect(staysWithin(template, filled(template, Object.fromEntries(names.map((name) => [name, 'a-1']))))).toBe(true)
      const [, host = ''] = /^https:\/\/([^/]*)/.exec(template) ?? []
      expect(host).toMatch(/^(?:[^{]*|.*\}[a-z-]*(?:\.[a-z]+){2,})$/)
    }
  })

  test(`${provider.id}: its fields and ways to sign in fit one another`, () => {
    const { schemes, fields, signedService, tokenUrl } = provider.auth
    for (const field of fields) for (const scheme of field.schemes ?? []) expect(schemes).toContain(scheme)
    const fieldsOf = (scheme: AuthScheme) =>
      fields.filter((field) => field.schemes?.includes(scheme) ?? true).map(({ name }) => name)
    for (const scheme of schemes) expect(fieldsOf(scheme)).toEqual(expect.arrayContaining([...NEEDED[scheme]]))
    expect([schemes.includes('sigv4'), schemes.includes('oauth-client')]).toEqual([
      signedService !== undefined,
      tokenUrl !== undefined,
    ])
  })
}

/** Values that would name another host, or another place on it. */
const HOST_CHANGERS = [
  '',
  'a/b',
  'a@b',
  'a:1',
  'a b',
  'a\\b',
  'a#',
  'a?b',
  'a%2fb',
  'ä',
  '{a}',
  '-.evil.example/',
  '../..',
]

/** Without which a scheme has nothing to sign in with. */
const NEEDED: Readonly<Record<AuthScheme, readonly string[]>> = {
  none: [],
  bearer: ['api_key'],
  'x-api-key': ['api_key'],
  'api-key': ['api_key'],
  'x-goog-api-key': ['api_key'],
  query: ['api_key'],
  sigv4: ['access_key_id', 'secret_access_key', 'region'],
  'gcp-sa': ['service_account'],
  'oauth-client': ['client_id', 'client_secret', 'scope'],
}
