import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { failure } from '../../../src/core/failure.ts'
import { json } from '../../support/plays.ts'
import { KEY, makeAccounts, type Accounts } from './stage.ts'

let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

const key = (number: number) => ({ credentials: { api_key: `key-${number}` } })
const bulk = (body: Record<string, unknown>) =>
  stage.call('POST', '/v1/accounts/bulk', { provider: 'anthropic', ...body })
const accounts = async () => (await stage.call('GET', '/v1/accounts?order=asc&limit=100')).body.data
const actions = () => stage.audited().map(({ action }) => action)

describe('many accounts at once', () => {
  test('are added with what they have in common', async () => {
    const items = [key(1), { ...key(2), name: 'second' }]
    const answer = await bulk({ items, defaults: { priority: 7, tags: { team: 'a' } } })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ created: 2, duplicates: 0, invalid: 0 })
    const [first, second] = answer.body.data.items
    expect(first).toMatchObject({ index: 0, status: 'created', test: null, message: null, errors: {} })
    expect(first.account).toMatchObject({ name: 'Anthropic 1', priority: 7, tags: { team: 'a' }, status: 'untested' })
    expect(second.account.name).toBe('second')
    expect(actions().filter((action) => action === 'account.create')).toHaveLength(2)
  })

  test('are added as far as they can be; the others say why not', async () => {
    await stage.create()
    const items = [
      { credentials: { api_key: KEY } },
      key(1),
      key(1),
      { credentials: { api_key: 'two words' } },
      { ...key(2), name: 'Anthropic 1' },
      {},
    ]
    const { data } = (await bulk({ items })).body
    expect(data).toMatchObject({ created: 1, duplicates: 2, invalid: 3 })
    const inShort = data.items.map((item: { status: string; errors: object }) => [
      item.status,
      Object.keys(item.errors),
    ])
    expect(inShort).toEqual([
      ['duplicate', ['credentials']],
      ['created', []],
      ['duplicate', ['credentials']],
      ['invalid', ['credentials.api_key']],
      ['invalid', ['name']],
      ['invalid', ['credentials.api_key']],
    ])
    expect(await accounts()).toHaveLength(2)
    expect(JSON.stringify(data)).not.toContain(KEY)
  })

  test('are tested when that is asked for, and show what came of it', async () => {
    const defaults = { base_url_override: `${stage.played.url}/v1`, allow_private_network: true }
    const models = json({ data: [{ id: 'claude-opus-4-1' }] })
    const refused = json({ type: 'error', error: { type: 'authentication_error', message: 'no' } }, 401)
    stage.played.otherwise((scene) => (scene.request.headers['x-api-key'] === 'key-1' ? models(scene) : refused(scene)))
    const { data } = (await bulk({ items: [key(1), key(2), key(2)], defaults, test: true })).body
    const inShort = data.items.map(
      ({
        status,
        test: report,
        account,
      }: {
        status: string
        test: { ok: boolean } | null
        account: null | { status: string }
      }) => [status, report?.ok, account?.status],
    )
    expect(inShort).toEqual([
      ['created', true, 'active'],
      ['created', false, 'auth_error'],
      ['duplicate', undefined, undefined],
    ])
    expect(stage.played.requests).toHaveLength(2)
  })

  const refusals: readonly (readonly [what: string, body: Record<string, unknown>, field: string])[] = [
    ['an unknown provider', { provider: 'nonesuch', items: [key(1)] }, 'provider'],
    ['a provider that needs no account', { provider: 'demo', items: [key(1)] }, 'provider'],
    ['nothing to add', { items: [] }, 'items'],
    ['more than 100', { items: Array.from({ length: 101 }, (_, number) => key(number)) }, 'items'],
    ['an unknown field of an item', { items: [{ ...key(1), priority: 1 }] }, 'items.0.priority'],
    ['an unknown common field', { items: [key(1)], defaults: { colour: 'blue' } }, 'defaults.colour'],
    ['a common name', { items: [key(1)], defaults: { name: 'x' } }, 'defaults.name'],
    [
      'a common address that may not be called',
      { items: [key(1)], defaults: { base_url_override: 'http://example.com' } },
      'defaults.base_url_override',
    ],
  ]
  for (const [what, body, field] of refusals) {
    test(`${what} is refused, naming the field`, async () => {
      const answer = await bulk(body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
      expect(await accounts()).toEqual([])
    })
  }
})

describe('all accounts of a provider', () => {
  const act = (method: string, what: string, provider = 'anthropic') =>
    stage.call(method, `/v1/providers/${provider}/accounts/${what}`)

  beforeEach(async () => {
    await bulk({ items: [key(1), key(2)] })
    await stage.create({ ...key(3), enabled: false })
    await stage.create({ provider: 'openai' })
  })

  const isOn = (account: { enabled: boolean }) => account.enabled
  const enabled = async () => (await accounts()).map((account: { enabled: boolean }) => account.enabled)

  test('are switched off and on again, those of others are not', async () => {
    const off = await act('POST', 'disable-all')
    expect([off.status, off.body.data, off.body.message]).toEqual([200, { changed: 2 }, 'disabled 2 accounts'])
    expect((await accounts()).map((account: { status: string }) => account.status).sort()).toEqual([
      'disabled',
      'disabled',
      'disabled',
      'untested',
    ])
    expect((await act('POST', 'disable-all')).body.data).toEqual({ changed: 0 })
    expect((await act('POST', 'enable-all')).body.message).toBe('enabled 3 accounts')
    expect(await enabled()).toEqual([true, true, true, true])
    expect(actions().slice(-3)).toEqual(['account.disable_all', 'account.disable_all', 'account.enable_all'])
    expect((await stage.openRoster()).all().every(({ account }) => account.enabled)).toBe(true)
  })

  test('begin anew when they are switched on, as after an edit', async () => {
    const [{ id }] = (await stage.call('GET', '/v1/accounts?q=Anthropic')).body.data.filter(isOn)
    stage.roster.failed(id, { failure: failure('auth', 'no'), http: 401, model: 'm', atMs: stage.clock.nowMs() })
    await act('POST', 'disable-all')
    await act('POST', 'enable-all')
    expect((await stage.call('GET', `/v1/accounts/${id}`)).body.data).toMatchObject({ status: 'untested', version: 3 })
  })

  test('go when they are switched off', async () => {
    const answer = await act('DELETE', 'disabled')
    expect([answer.status, answer.body]).toEqual([200, { message: 'deleted 1 account' }])
    expect(await enabled()).toEqual([true, true, true])
    expect(stage.roster.of('anthropic')).toHaveLength(2)
    expect(stage.audited().at(-1)).toMatchObject({ action: 'account.delete_disabled', object_name: 'Anthropic' })
  })

  test('go altogether', async () => {
    expect((await act('DELETE', 'all')).body).toEqual({ message: 'deleted 3 accounts' })
    expect((await accounts()).map((account: { provider: string }) => account.provider)).toEqual(['openai'])
    expect((await stage.openRoster()).of('anthropic')).toEqual([])
    expect(JSON.parse(stage.audited().at(-1)?.after ?? '')).toMatchObject({ count: 3 })
    expect((await act('DELETE', 'all')).body.message).toBe('deleted 0 accounts')
  })

  for (const [method, what] of [
    ['POST', 'disable-all'],
    ['POST', 'enable-all'],
    ['DELETE', 'disabled'],
    ['DELETE', 'all'],
  ] as const) {
    test(`${method} ${what} of an unknown provider is 404`, async () => {
      expect((await act(method, what, 'nonesuch')).status).toBe(404)
    })
  }
})
