/**
 * Everything that networks, proxies and providers do wrong, met by the running program over real sockets, beside two streams that
 * must not notice. Each fault: one outcome in the client's own format, so many requests and no more, a row that is over, nothing of a
 * budget or a limit held, and in the end nothing under way and no more memory or descriptors than before.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { START_MS_MAX } from '../sdk/bench.ts'
import { expectNothingHeldByAnyone } from './allotment.ts'
import { ANSWERS } from './answers.ts'
import { Canary } from './canary-keeper.ts'
import { CONNECTING } from './connecting.ts'
import { CONTINUING } from './continuing.ts'
import { eventually } from './eventually.ts'
import type { Fault } from './fault.ts'
import { HISTORIES } from './histories.ts'
import type { History } from './history.ts'
import { DRAIN_S, LEAVING } from './leaving.ts'
import { LYING_PROXIES } from './lying-proxies.ts'
import { meetAlone, meetWithAnother } from './meet.ts'
import { PANELS } from './panels.ts'
import { REFUSALS } from './refusals.ts'
import { SPENDING } from './spending.ts'
import { Stand, type Stats } from './stand.ts'
import { STREAMS } from './streams.ts'
import { UNREAD } from './unread.ts'
import { type Voice, VOICES } from './voice.ts'

/** Tokens come every 50 ms. */
const CANARY_GAP_MS_MAX = 1_000
/** What the runtime keeps of memory that twenty giant questions and answers at a time have needed once. */
const RSS_GROWTH_BYTES_MAX = 512 * 1024 * 1024
/** A thousand providers and chains, and what the collector has not come to yet. */
const HEAP_GROWTH_BYTES_MAX = 128 * 1024 * 1024
/** Connections that stay idle are those to the two providers that never fail: twenty tests at a time may ask them. */
const FDS_GROWTH_MAX = 24

/** Long enough for all that has to be seen of an open circuit, and short enough to wait for. */
const CIRCUIT_OPEN_S = 3

const TABLES: Readonly<Record<string, readonly Fault[]>> = {
  'before the request': CONNECTING,
  'instead of an answer': REFUSALS,
  'around an answer': ANSWERS,
  'inside an answer': STREAMS,
  'on the way': LYING_PROXIES,
  'while it is asked': UNREAD,
}

const COURSES: Readonly<Record<string, readonly History[]>> = {
  'over several requests': HISTORIES,
  'where rules ask to go on': CONTINUING,
  'among several who answer together': PANELS,
  'without a client': LEAVING,
  'where not everything may be asked again': SPENDING,
}

let stand: Stand
let canary: Canary
let before: Stats

beforeAll(async () => {
  stand = await Stand.open()
  await stand.operator.change('/v1/settings', {
    resilience: { circuit: { open_s: CIRCUIT_OPEN_S } },
    streaming: { drain_for_usage_s: DRAIN_S },
  })
  canary = await Canary.start(stand)
  before = await stand.stats()
}, START_MS_MAX)
afterAll(() => stand?.[Symbol.asyncDispose]())

for (const [when, faults] of Object.entries(TABLES))
  describe(when, () => {
    for (const [index, fault] of faults.entries()) {
      const some = voicesFor(fault, index)
      for (const voice of some)
        test.concurrent(`${nameOf(fault, voice)}: all accounts`, () => meetAlone(stand, fault, voice))
      const voice = some[index % some.length]
      if (voice !== undefined)
        test.concurrent(`${nameOf(fault, voice)}: and another provider`, () => meetWithAnother(stand, fault, voice))
    }
  })

for (const [when, histories] of Object.entries(COURSES))
  describe(when, () => {
    for (const { name, voices = VOICES, run } of histories)
      for (const voice of voices)
        test.concurrent(`${name} (${voice.client.name}, ${voice.mode})`, () => run(stand, voice))
  })

/** Each client; in both modes where the outcome depends on it, else each in one, by turns. */
function voicesFor({ modes, outcome }: Fault, index: number): readonly Voice[] {
  const possible = VOICES.filter(({ mode }) => modes?.includes(mode) !== false)
  const differs = modes !== undefined || (typeof outcome !== 'function' && !('ends' in outcome))
  return differs ? possible : possible.filter((_, at) => (index + at + (at >> 1)) % 2 === 0)
}

function nameOf({ name }: Fault, { client, mode }: Voice): string {
  return `${name} (${client.name}, ${mode})`
}

describe('after all of it', () => {
  test('the canaries heard each token once, in order, and never late', async () => {
    for (const { client, sent, heard, foreign, ended, gapMsMax } of await canary.stop()) {
      expect({ client, foreign, ended }).toEqual({ client, foreign: [], ended: true })
      expect(heard).toEqual(Array.from({ length: sent }, (_, at) => at))
      expect(gapMsMax).toBeLessThan(CANARY_GAP_MS_MAX)
    }
  })

  test('nothing is under way, and nothing waits to be written', async () => {
    const quiet = { in_flight: 0, streams_open: 0, queued: 0 }
    await eventually(async () => (await stand.stats()).gateway.in_flight === 0, 'the end of every request')
    await eventually(async () => (await stand.stats()).log_writer.pending === 0, 'the last row')
    const { gateway, log_writer } = await stand.stats()
    expect(gateway).toMatchObject(quiet)
    expect(log_writer.dropped).toBe(0)
  })

  test('nothing of any budget is set aside, and all that is spent stands in the log', () =>
    expectNothingHeldByAnyone(stand))

  test('descriptors and memory are back', async () => {
    const most = (before.process.fds ?? 0) + FDS_GROWTH_MAX
    await eventually(async () => ((await stand.stats()).process.fds ?? 0) <= most, 'the end of descriptors')
    const { process } = await stand.stats()
    const mostHeap = before.process.heap_used + HEAP_GROWTH_BYTES_MAX
    await eventually(async () => (await stand.stats()).process.heap_used <= mostHeap, 'the end of what was in memory')
    expect(process.rss_bytes - before.process.rss_bytes).toBeLessThan(RSS_GROWTH_BYTES_MAX)
  })
})
