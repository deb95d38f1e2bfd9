/** What clients notice, and what providers are asked, while one of two providers fails every other request. */
import { addChain, addProvider, askAtPace, type Chained, type Model, STEADY } from './chained.ts'
import type { PacedMeasured } from './load.ts'
import type { Helper } from './processes.ts'
import { heading, number, row, type Verdict } from './report.ts'
import type { Scale } from './scale.ts'

/** Streams take half a second, so that a hundred are under way at once, and more when the machine is slow. */
const PACE = { perSecond: 200, connections: 400 } as const
const SUCCESS_MIN = 99
const EXTRA_MAX = 20
const PREFIX = 'flapping-'
const OFTEN = { circuit: { open_s: 1 } } as const

interface Case {
  readonly name: string
  readonly strategy: 'priority' | 'round_robin'
  readonly model: Model
  /** What is set; otherwise all is as it comes. */
  readonly resilience?: typeof OFTEN
}

/** The failing one is asked first, or they are in turn; or it is tried again each second, which a short run shows more of. */
const CASES: readonly Case[] = [
  { name: 'first', strategy: 'priority', model: 'plain' },
  { name: 'first, streamed', strategy: 'priority', model: 'stream-10-50' },
  { name: 'in turn', strategy: 'round_robin', model: 'plain' },
  { name: 'each second', strategy: 'priority', model: 'plain', resilience: OFTEN },
  { name: 'each second, streamed', strategy: 'priority', model: 'stream-10-50', resilience: OFTEN },
]

export async function measureFlapping(stage: Chained, { flappingMs }: Scale): Promise<readonly Verdict[]> {
  heading(`${PACE.perSecond} requests a second, one of two providers fails half of its own`)
  row('', 'sent/s', 'success', 'extra calls', 'to failing', 'p50', 'p99')
  const verdicts: Verdict[] = []
  for (const [nth, one] of CASES.entries()) verdicts.push(...(await measure(stage, one, `flapping-${nth}`, flappingMs)))
  return verdicts
}

/** Each case has a failing provider of its own, of which nothing is known at its beginning. */
async function measure(stage: Chained, one: Case, slug: string, durationMs: number): Promise<readonly Verdict[]> {
  const { gateway, steady, flapping } = stage
  const { operator } = gateway
  await operator.change('/v1/settings', { resilience: one.resilience ?? null })
  await addProvider(operator, { slug, accountUrls: [flapping.url], prefix: PREFIX })
  const models = [`${slug}/${PREFIX}${one.model}`, `${STEADY}/${one.model}`]
  const chain = await addChain(operator, `either-${slug}`, one.strategy, models)
  const before = { steady: await timesAsked(steady), flapping: await timesAsked(flapping) }
  const measured = await askAtPace(stage, [chain], one.model, { ...PACE, durationMs })
  const toFailing = (await timesAsked(flapping)) - before.flapping
  const calls = toFailing + (await timesAsked(steady)) - before.steady
  return shown(one.name, measured, calls, toFailing)
}

async function timesAsked({ url }: Helper): Promise<number> {
  return Number(await (await fetch(`${url}/asked`)).text())
}

function shown(name: string, measured: PacedMeasured, calls: number, toFailing: number): readonly Verdict[] {
  const [body] = measured.bodies
  if (body === undefined) throw new Error('a body is missing')
  const success = (body.answered / body.due) * 100
  const extra = (calls / body.due - 1) * 100
  const shares = [success, extra].map((share) => number(share, ' %'))
  const times = [body.latency.p50, body.latency.p99].map((ms) => number(ms, ' ms'))
  row(name, number(measured.perSecond), ...shares, String(toFailing), ...times)
  return [
    { name: `answered, ${name}`, measured: success, bound: SUCCESS_MIN, unit: ' %', atLeast: true },
    { name: `extra calls, ${name}`, measured: extra, bound: EXTRA_MAX, unit: ' %' },
  ]
}
