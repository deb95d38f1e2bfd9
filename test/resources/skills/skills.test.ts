import { beforeEach, describe, expect, test } from 'bun:test'
import { requestedBaseUrl } from '../../../src/http/base-url.ts'
import type { KeyService } from '../../../src/resources/keys/service.ts'
import { hashOfSecret } from '../../../src/resources/keys/secret.ts'
import { skillRoutes } from '../../../src/resources/skills/routes.ts'
import { SkillService } from '../../../src/resources/skills/service.ts'
import { SkillStore } from '../../../src/resources/skills/store.ts'
import {
  bareApp,
  type Call,
  callerOf,
  type Dashboard,
  makeDashboard,
  signInOwner,
  value,
} from '../../support/dashboard.ts'
import { openTestKeys } from '../../support/keys.ts'

const SERVED = new Set(['/v1/messages', '/v1/chat/completions', '/v1/responses'])
const MARKDOWN = { 'content-type': 'text/markdown' }
let dashboard: Dashboard
let skills: SkillService
let keys: KeyService
let call: Call
let stranger: Call
let trusted: boolean

beforeEach(async () => {
  dashboard = await makeDashboard()
  trusted = false
  const { audit, clock, db, random, edge, plugin, uploadPlugin } = dashboard
  const opened = await openTestKeys(dashboard)
  keys = opened.keys
  skills = new SkillService({ store: new SkillStore(db), audit, clock, random, removed: opened.reload })
  await skills.start()
  const baseUrlOf = (request: Request) => requestedBaseUrl(request, trusted)
  const plugins = { authenticated: plugin, authenticatedUpload: uploadPlugin }
  const app = bareApp().use(skillRoutes({ ...edge, ...plugins, skills, baseUrlOf, servedPaths: SERVED }))
  call = callerOf(app, await signInOwner(dashboard))
  stranger = callerOf(app)
})

const create = async (body: Record<string, unknown> = {}) =>
  (await call('POST', '/v1/skills', { name: 'tone', description: 'How we speak', content: 'Be kind.', ...body })).body
    .data

describe('a skill', () => {
  test('begins switched off and has a public address', async () => {
    const answer = await call('POST', '/v1/skills', { name: 'tone', content: 'Be kind.' })
    expect(answer.status).toBe(201)
    const { id, ...rest } = answer.body.data
    expect(id).toMatch(/^skl_[a-z2-7]{26}$/)
    expect(rest).toMatchObject({ enabled: false, description: '', tokens: 2, version: 1 })
    expect(rest.url).toBe(`http://gateway.test/skills/${id}/SKILL.md`)
  })

  test('is switched on by a patch, from the next request on', async () => {
    const { id } = await create()
    expect(skills.all()[0]?.enabled).toBe(false)
    expect((await call('PATCH', `/v1/skills/${id}`, { enabled: true })).body.data).toMatchObject({
      enabled: true,
      version: 2,
    })
    expect(skills.all()[0]?.enabled).toBe(true)
  })

  test('keeps its place in creation order whatever happens to it', async () => {
    const names = []
    for (const name of ['c', 'a', 'b']) names.push((await create({ name })).id)
    await call('PATCH', `/v1/skills/${names[0]}`, { content: 'new' })
    expect(skills.all().map(({ name }) => name)).toEqual(['c', 'a', 'b'])
  })

  test('leaves every key that named it when it is deleted', async () => {
    const [one, two] = [await create(), await create()]
    const caller = { actor: { id: null, email: null, ip: null }, requestId: null }
    const { secret } = value(await keys.create({ name: 'k', skill_ids: [one.id, two.id] }, caller))
    expect((await call('DELETE', `/v1/skills/${one.id}`)).status).toBe(200)
    expect(keys.find(hashOfSecret(secret))?.skillIds).toEqual([two.id])
    expect(skills.all().map(({ id }) => id)).toEqual([two.id])
  })

  const bad: readonly [string, Record<string, unknown>, string][] = [
    ['an unknown field', { prompt: 'x' }, 'prompt'],
    ['switched on from the start', { enabled: true }, 'enabled'],
    ['an empty name', { name: '' }, 'name'],
    ['too long a name', { name: 'x'.repeat(65) }, 'name'],
    ['no content', { content: '' }, 'content'],
    ['too much content', { content: 'x'.repeat(256 * 1024 + 1) }, 'content'],
  ]
  for (const [name, body, field] of bad) {
    test(`${name} is refused by name`, async () => {
      const answer = await call('POST', '/v1/skills', { name: 'a', content: 'b', ...body })
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    })
  }

  test('that does not exist is 404, a stale version 409', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect((await call(method, '/v1/skills/skl_none', method === 'PATCH' ? {} : undefined)).status).toBe(404)
    }
    const { id } = await create()
    expect((await call('PATCH', `/v1/skills/${id}`, { enabled: true }, { 'if-match': '7' })).status).toBe(409)
  })
})

describe('the public document', () => {
  test('needs no credential and parses back to the skill', async () => {
    const { id, ...skill } = await create({ content: '---\nfences and\r\nbreaks\n' })
    const served = await stranger('GET', `/skills/${id}/SKILL.md`)
    expect(served.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(served.headers.get('cache-control')).toBe('no-store')
    const parsed = (await call('POST', '/v1/skills/parse', served.body, MARKDOWN)).body.data
    expect(parsed).toEqual({ name: skill.name, description: skill.description, content: skill.content })
  })

  test('of an unknown skill is 404 in the envelope', async () => {
    const answer = await stranger('GET', '/skills/skl_none/SKILL.md')
    expect([answer.status, answer.body]).toEqual([404, { message: 'there is no such skill' }])
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  })
})

describe('an upload', () => {
  const document = '---\nname: tone\ndescription: How we speak\n---\nBe kind.\n'
  const parsed = { name: 'tone', description: 'How we speak', content: 'Be kind.\n' }

  test('is read for review and not saved', async () => {
    const answer = await call('POST', '/v1/skills/parse', document, MARKDOWN)
    expect([answer.status, answer.body.data]).toEqual([200, parsed])
    expect(skills.all()).toEqual([])
  })

  test('may come as the file of a form', async () => {
    const form = new FormData()
    form.set('file', new File([document], '../../etc/passwd'))
    expect((await upload(form)).body.data).toEqual(parsed)
  })

  test('needs exactly one file and at most 16 parts', async () => {
    const without = new FormData()
    without.set('other', 'x')
    expect((await upload(without)).status).toBe(422)
    const many = new FormData()
    for (let part = 0; part < 17; part++) many.append(`part${part}`, 'x')
    expect((await upload(many)).status).toBe(400)
  })

  test('says which line is wrong', async () => {
    const answer = await call('POST', '/v1/skills/parse', document.replace('tone', '123'), MARKDOWN)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.name[0]).toStartWith('line 2: ')
  })

  for (const [name, body, headers, status] of [
    ['JSON', '{}', {}, 415],
    ['too large', 'x'.repeat(1024 * 1024 + 1), MARKDOWN, 413],
    ['a broken form', 'nonsense', { 'content-type': 'multipart/form-data; boundary=x' }, 400],
    ['a JavaScript fence', '---js\n({})\n---\n', MARKDOWN, 422],
  ] as const) {
    test(`${name} is refused`, async () => {
      expect((await call('POST', '/v1/skills/parse', body, headers)).status).toBe(status)
    })
  }

  test('needs an access token', async () => {
    expect((await stranger('POST', '/v1/skills/parse', document, MARKDOWN)).status).toBe(401)
  })

  async function upload(form: FormData) {
    const request = new Request('http://gateway.test/', { method: 'POST', body: form })
    const headers = { 'content-type': request.headers.get('content-type') ?? '' }
    return call('POST', '/v1/skills/parse', await request.text(), headers)
  }
})

describe('a reference skill', () => {
  const guide = async (slug: string, headers?: Record<string, string>) =>
    (await stranger('GET', `/skills/${slug}/SKILL.md`, undefined, headers)).body as string
  const slugs = [
    'router-setup',
    'chat',
    'image-generation',
    'text-to-speech',
    'speech-to-text',
    'embeddings',
    'web-search',
    'web-fetch',
  ]

  for (const slug of slugs) {
    test(`${slug} is a document with the address that it was asked from`, async () => {
      const text = await guide(slug, { host: 'gateway.home:4680' })
      const parsed = (await call('POST', '/v1/skills/parse', text, MARKDOWN)).body.data
      expect(parsed.name).toBe(slug)
      expect(parsed.content).toContain('http://gateway.home:4680/')
      expect(text).not.toContain('gateway.test')
    })
  }

  test('believes forwarded headers from a trusted proxy alone', async () => {
    const forwarded = { host: 'inner:1', 'x-forwarded-host': 'ai.example.com', 'x-forwarded-proto': 'https' }
    expect(await guide('chat', forwarded)).toContain('`http://inner:1`')
    trusted = true
    expect(await guide('chat', forwarded)).toContain('`https://ai.example.com`')
    expect(await guide('chat', { ...forwarded, 'x-forwarded-host': 'a`b' })).toContain('`https://inner:1`')
  })

  test('says in one line what this build does not serve yet', async () => {
    expect(await guide('embeddings')).toContain('> This build does not serve /v1/embeddings yet.')
    expect(await guide('chat')).not.toContain('does not serve')
    expect(await guide('router-setup')).toContain('`/v1/search` (not yet)')
  })

  test('lists every other guide with its address', async () => {
    const text = await guide('router-setup')
    for (const slug of slugs.slice(1)) expect(text).toContain(`http://gateway.test/skills/${slug}/SKILL.md`)
  })
})

test('the list is paged, searched and sorted', async () => {
  for (const name of ['gamma', 'alpha', 'beta'])
    await create({ name, description: name === 'beta' ? 'special_one' : '' })
  const names = async (query: string) =>
    (await call('GET', `/v1/skills?${query}`)).body.data.map(({ name }: { name: string }) => name)
  expect(await names('sort=name&order=asc')).toEqual(['alpha', 'beta', 'gamma'])
  expect(await names('q=special_')).toEqual(['beta'])
  expect([...(await names('limit=2')), ...(await names('limit=2&offset=2'))]).toEqual(['beta', 'alpha', 'gamma'])
  expect((await call('GET', '/v1/skills?limit=101')).body.errors).toHaveProperty('limit')
})
