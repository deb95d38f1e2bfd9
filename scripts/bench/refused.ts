/** How much later an answer comes because who was asked first refuses the connection, beside asking the second at once. */
import { addChain, addProvider, askAtPace, type Chained, errorsOf, type Model, STEADY } from './chained.ts'
import type { PacedBody } from './load.ts'
import { heading, number, row, type Verdict } from './report.ts'
import type { Scale } from './scale.ts'

const WARM_UP_MS = 1_000
/** As when only choosing is measured: the quietest round tells what moving on costs. */
const ROUNDS = 3
/** Half of them are refused: so few that no circuit opens, with the rules below, unless the machine stands still for seconds. */
const PACE = { perSecond: 60, connections: 40 } as const
const ALWAYS_TRIED = { errors: 100, window_s: 1 } as const
/** A request that was refused and moved on has made two. */
const ATTEMPTS_MIN = 1.9
const ADDED_MS_MAX = 50

interface Case {
  readonly name: string
  readonly model: Model
  /** How clients ask by way of the one that refuses. */
  readonly moved: string
  readonly direct: string
}

export async function measureRefused(stage: Chained, { refusedMs }: Scale): Promise<readonly Verdict[]> {
  const cases = await prepare(stage)
  heading('Moved on from a refused connection')
  row('', 'direct p50', 'added p50', 'added p99', 'attempts', 'errors')
  const verdicts: Verdict[] = []
  for (const one of cases) verdicts.push(shown(one, await quietest(stage, one, refusedMs)))
  return verdicts
}

interface Round {
  readonly direct: PacedBody
  readonly moved: PacedBody
}

async function quietest(stage: Chained, one: Case, durationMs: number): Promise<Round> {
  await measure(stage, one, WARM_UP_MS)
  let best = await measure(stage, one, durationMs)
  for (let round = 1; round < ROUNDS; round++) {
    const next = await measure(stage, one, durationMs)
    if (!isRefused(best) || (isRefused(next) && noiseOf(next) < noiseOf(best))) best = next
  }
  return best
}

/** Both ways at the same time, so that the machine is the same to both. */
async function measure(stage: Chained, one: Case, durationMs: number): Promise<Round> {
  const { bodies } = await askAtPace(stage, [one.direct, one.moved], one.model, { ...PACE, durationMs })
  const [direct, moved] = bodies
  if (direct === undefined || moved === undefined) throw new Error('a body is missing')
  return { direct, moved }
}

/** Of both ways alike: what disturbs only one of them must not decide. */
function noiseOf({ direct, moved }: Round): number {
  return direct.latency.p99 + moved.latency.p99
}

function isRefused({ moved }: Round): boolean {
  return attemptsOf(moved) >= ATTEMPTS_MIN
}

function attemptsOf({ attempts, due }: PacedBody): number {
  return attempts / due
}

function added({ direct, moved }: Round, of: 'p50' | 'p99'): number {
  return moved.latency[of] - direct.latency[of]
}

async function prepare({ gateway: { operator }, steady }: Chained): Promise<readonly Case[]> {
  await operator.change('/v1/settings', { resilience: { circuit: ALWAYS_TRIED } })
  const nobody = urlOfNobody()
  await addProvider(operator, { slug: 'refusing', accountUrls: [nobody] })
  await addProvider(operator, { slug: 'half', accountUrls: [nobody, steady.url] })
  const cases = (['plain', 'stream-1-0'] as const).map(async (model): Promise<readonly Case[]> => {
    const direct = `${STEADY}/${model}`
    const chain = await addChain(operator, `moved-${model}`, 'priority', [`refusing/${model}`, direct])
    const how = model === 'plain' ? '' : ', streamed'
    return [
      { name: `two providers${how}`, model, direct, moved: chain },
      { name: `two accounts${how}`, model, direct, moved: `half/${model}` },
    ]
  })
  return (await Promise.all(cases)).flat()
}

/** Somebody listened there a moment ago. */
function urlOfNobody(): string {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
  listener.stop(true)
  return `http://127.0.0.1:${listener.port}`
}

/** A case in which hardly anything was refused has measured nothing, and misses. */
function shown({ name }: Case, round: Round): Verdict {
  const { direct, moved } = round
  const times = [direct.latency.p50, added(round, 'p50'), added(round, 'p99')].map((ms) => number(ms, ' ms'))
  row(name, ...times, number(attemptsOf(moved)), String(errorsOf(direct) + errorsOf(moved)))
  const measured = isRefused(round) ? added(round, 'p99') : Number.NaN
  return { name: `added p99, ${name}`, measured, bound: ADDED_MS_MAX, unit: ' ms' }
}
