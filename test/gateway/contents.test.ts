/** Prompts and answers are kept only where somebody asked for it: sealed, as much as was allowed, and for so long. */
import { describe, expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../../src/core/duration.ts'
import { temporaryMasterKey } from '../../src/db/master-key.ts'
import { openDatabases } from '../../src/db/open.ts'
import { Vault } from '../../src/db/seal.ts'
import { ContentKeeper, WAITING_BYTES_MAX } from '../../src/resources/contents/keeper.ts'
import { ContentStore } from '../../src/resources/contents/store.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { HandClock } from '../support/clock.ts'
import { value } from '../support/dashboard.ts'
import { json, stream } from '../support/plays.ts'
import { seededRandom } from '../support/random.ts'
import { turn } from '../support/until.ts'
import { CHAT, MESSAGES } from './clients.ts'
import { ANTHROPIC } from './upstreams.ts'

const WRITE_MS = 100
const REFUSED = json({ type: 'error', error: { type: 'invalid_request_error', message: 'no such thing' } }, 400)

/** The bodies of the only request so far. */
async function bodies(app: TestApp) {
  app.clock.advance(WRITE_MS)
  await turn()
  const [row] = await app.rows()
  return row?.['bodies']
}

describe('settings.logging.log_content', () => {
  test('never, the default: nothing is kept', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(json(ANTHROPIC.reply('hi')))
    await app.ask('/v1/messages', { body: MESSAGES.body(ANTHROPIC.model) })
    expect(await bodies(app)).toBeNull()
  })

  for (const streams of [false, true]) {
    test(`always: what the client sent and got, ${streams ? 'streamed' : 'plain'} and translated`, async () => {
      await using app = await makeApp({ settings: { logging: { log_content: 'always' } } })
      const { played } = app.upstream('anthropic')
      played.play(streams ? stream(ANTHROPIC.stream(['One ', 'two'])) : json(ANTHROPIC.reply('One two')))
      const sent = JSON.stringify(CHAT.body(ANTHROPIC.model, 'the prompt', { stream: streams }))
      const answer = await app.ask(CHAT.path, { body: sent })
      const kept = await bodies(app)
      expect(kept).toMatchObject({ request: sent, truncated: false })
      expect(streams ? kept.answer : JSON.parse(kept.answer)).toEqual(answer.body)
      expect(Date.parse(kept.expires_at)).toBeGreaterThan(app.clock.nowMs() + 6 * DAY_MS)
    })
  }

  test('errors: only what failed', async () => {
    await using app = await makeApp({ settings: { logging: { log_content: 'errors' } } })
    app.upstream('anthropic').played.play(json(ANTHROPIC.reply('hi')), REFUSED)
    await app.ask('/v1/messages', { body: MESSAGES.body(ANTHROPIC.model, 'went well') })
    await app.ask('/v1/messages', { body: MESSAGES.body(ANTHROPIC.model, 'went wrong') })
    app.clock.advance(WRITE_MS)
    await turn()
    const [well, wrong] = await app.rows()
    expect(well?.['bodies']).toBeNull()
    expect(wrong?.['bodies'].request).toContain('went wrong')
    expect(wrong?.['bodies'].answer).toContain('no such thing')
  })

  test('no more of either than allowed, and it says so', async () => {
    await using app = await makeApp({ settings: { logging: { log_content: 'always', body_max_kib: 1 } } })
    app.upstream('anthropic').played.play(json(ANTHROPIC.reply('y'.repeat(5_000))))
    await app.ask('/v1/messages', { body: MESSAGES.body(ANTHROPIC.model, 'x'.repeat(5_000)) })
    const kept = await bodies(app)
    expect([kept.request.length, kept.answer.length, kept.truncated]).toEqual([1_024, 1_024, true])
  })

  test('of a client that left, what it had until then', async () => {
    await using app = await makeApp({ settings: { logging: { log_content: 'always' } } })
    app.upstream('anthropic').played.play(stream([...ANTHROPIC.stream(['One ']).slice(0, 4), 'silence']))
    const body = MESSAGES.body(ANTHROPIC.model, 'hello', { stream: true })
    const reader = (await app.request('/v1/messages', { body })).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    const kept = await bodies(app)
    expect(kept.truncated).toBe(true)
    expect(kept.answer).toContain('message_start')
  })

  test('a word that is none of the three is refused', async () => {
    await using app = await makeApp()
    const { status, body } = await app.owner('PATCH', '/v1/settings', { logging: { log_content: 'sometimes' } })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['logging.log_content'])
  })
})

const SAYINGS: readonly (readonly [said: Readonly<Record<string, string>>, isKept: boolean])[] = [
  [{ plan: 'always' }, true],
  [{ key: 'always' }, true],
  [{ plan: 'always', key: 'never' }, false],
  [{ settings: 'always', plan: 'inherit' }, true],
  [{ settings: 'always', plan: 'never' }, false],
  [{ settings: 'always', plan: 'never', key: 'always' }, true],
]

describe('a key says more than its plan, and that more than the settings', () => {
  for (const [said, isKept] of SAYINGS) {
    test(`${JSON.stringify(said)}: ${isKept ? 'kept' : 'not kept'}`, async () => {
      const { settings = 'never', plan = 'inherit', key = null } = said
      await using app = await makeApp({ settings: { logging: { log_content: settings } } })
      const made = await app.owner('POST', '/v1/plans', { name: 'team', log_content: plan })
      expect(made.body.data.log_content).toBe(plan)
      await app.owner('PATCH', `/v1/keys/${app.key.id}`, { plan_id: made.body.data.id, log_content: key })
      app.upstream('anthropic').played.play(json(ANTHROPIC.reply('hi')))
      await app.ask('/v1/messages', { body: MESSAGES.body(ANTHROPIC.model) })
      expect((await bodies(app)) !== null).toBe(isKept)
    })
  }

  for (const path of ['/v1/plans', '/v1/keys'])
    test(`${path}: another word is refused by name`, async () => {
      await using app = await makeApp()
      const { status, body } = await app.owner('POST', path, { name: 'x', log_content: 'sometimes' })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['log_content']])
    })
})

async function keeper(more: { retainDays?: number; keptBytesMax?: number } = {}) {
  const clock = new HandClock()
  const random = seededRandom(1)
  const databases = value(openDatabases('memory', { migrationsDir: `${import.meta.dir}/../../drizzle`, clock, random }))
  const store = new ContentStore(databases.telemetry)
  const vault = new Vault(temporaryMasterKey(random), random)
  const { retainDays = 7, ...bounds } = more
  const log = { write: () => undefined }
  const kept = await ContentKeeper.open({ store, vault, clock, log, retainDays: () => retainDays, ...bounds })
  const written = async (): Promise<void> => {
    for (let step = 0; step < 20; step++) {
      clock.advance(WRITE_MS)
      await turn()
    }
  }
  return { kept, clock, store, written, close: () => databases.close() }
}

const content = (request: string) => ({ request, answer: 'answer', isCut: false })

describe('the keeper of contents', () => {
  test('writes nothing that can be read without the master key', async () => {
    const { kept, store, clock, written, close } = await keeper()
    kept.keep('req_1', clock.nowMs(), content('a secret prompt'))
    await written()
    const row = await store.get('req_1')
    expect(JSON.stringify(row)).not.toContain('secret')
    expect(await kept.of('req_1')).toMatchObject({ request: 'a secret prompt' })
    close()
  })

  test('forgets when the time is over, also before the rows are gone', async () => {
    const { kept, store, clock, written, close } = await keeper({ retainDays: 2 })
    const stop = kept.start()
    kept.keep('old', clock.nowMs(), content('old'))
    await written()
    clock.advance(DAY_MS)
    kept.keep('new', clock.nowMs(), content('new'))
    await written()
    clock.advance(DAY_MS)
    expect(await kept.of('old')).toBeUndefined()
    clock.advance(HOUR_MS)
    await written()
    expect([(await store.get('old'))?.requestId, (await store.get('new'))?.requestId]).toEqual([undefined, 'new'])
    await stop()
    close()
  })

  test('lets the oldest go when there is too much', async () => {
    const { kept, store, clock, written, close } = await keeper({ keptBytesMax: 3_000 })
    for (let n = 0; n < 300; n++) kept.keep(`req_${n}`, clock.nowMs() + n, content(`request ${n}`))
    await written()
    expect(await store.bytes()).toBeLessThan(3_000)
    close()
  })

  test('leaves out what it cannot write in time', async () => {
    const { kept, clock, written, close } = await keeper()
    const much = content('x'.repeat(WAITING_BYTES_MAX / 2))
    for (const id of ['a', 'b', 'c']) kept.keep(id, clock.nowMs(), much)
    expect(kept.left).toBe(2)
    await written()
    kept.keep('d', clock.nowMs(), much)
    expect(kept.left).toBe(2)
    close()
  })

  test('writes what waits before it ends', async () => {
    const { kept, store, clock, close } = await keeper()
    const stop = kept.start()
    for (let n = 0; n < 20; n++) kept.keep(`req_${n}`, clock.nowMs(), content('x'))
    await stop()
    expect((await store.get('req_19'))?.requestId).toBe('req_19')
    close()
  })
})
