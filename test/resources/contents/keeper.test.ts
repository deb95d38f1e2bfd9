/** What keeps requests and their answers, beside others that write the same file. */
import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { temporaryMasterKey } from '../../../src/db/master-key.ts'
import { Vault } from '../../../src/db/seal.ts'
import { ContentKeeper } from '../../../src/resources/contents/keeper.ts'
import { ContentStore } from '../../../src/resources/contents/store.ts'
import { telemetry } from '../../ledger/records.ts'
import { HandClock } from '../../support/clock.ts'
import { seededRandom } from '../../support/random.ts'
import { turn } from '../../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'contents-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Over the connection that writes the ledger, which waits for no lock; and another one, as the thread that prunes has it. */
async function world() {
  const path = join(mkdtempSync(join(folder, 'world-')), 'telemetry.sqlite')
  const database = telemetry(path)
  database.run('PRAGMA busy_timeout = 0')
  const random = seededRandom(1)
  const clock = new HandClock()
  const keeper = await ContentKeeper.open({
    store: new ContentStore(drizzle({ client: database })),
    vault: new Vault(temporaryMasterKey(random), random),
    clock,
    log: { write: () => undefined },
    retainDays: () => 1,
  })
  return { keeper, clock, other: new Database(path) }
}

async function pass(clock: HandClock, ms: number): Promise<void> {
  clock.advance(ms)
  await turn()
}

const CONTENT = { request: 'question', answer: 'answer', isCut: false }

test('waits while another thread writes, and keeps what it was given then', async () => {
  const { keeper, clock, other } = await world()
  const stop = keeper.start()
  other.run('BEGIN IMMEDIATE')
  keeper.keep('req_1', clock.nowMs(), CONTENT)
  await pass(clock, 1_000)
  expect([await keeper.of('req_1'), keeper.left]).toEqual([undefined, 0])
  other.run('COMMIT')
  await pass(clock, 1_000)
  expect(await keeper.of('req_1')).toMatchObject(CONTENT)
  await stop()
})

test('prunes later while another thread writes', async () => {
  const { keeper, clock, other } = await world()
  keeper.keep('req_2', clock.nowMs(), CONTENT)
  await pass(clock, 1_000)
  clock.advance(2 * 86_400_000)
  other.run('BEGIN IMMEDIATE')
  await keeper.prune()
  other.run('COMMIT')
  await pass(clock, 1_000)
  expect(keeper.keptBytes).toBe(0)
})

test('leaves out what cannot be written for long, and does not hold up the stop', async () => {
  const { keeper, clock, other } = await world()
  const stop = keeper.start()
  other.run('BEGIN IMMEDIATE')
  keeper.keep('req_3', clock.nowMs(), CONTENT)
  await pass(clock, 500)
  await stop()
  expect(keeper.left).toBe(1)
  other.run('COMMIT')
})
