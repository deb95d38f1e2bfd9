/**
 * `bun run bench [--quick]`: the executable beside a direct call, a bare proxy and a naive translator, all in one run against one
 * local upstream, because times move with the machine and only ratios last. Key, skill and ledger are on. Upstream, clients and
 * contenders are processes of their own. Linux only: it reads /proc. `bun run bench pages`: the dashboard over a long log instead.
 * `bun run bench usage`: reports, exports and upkeep of a ledger of a million requests, and what streams notice of it.
 * `bun run bench dialects`: what each format costs to read and to write, and a translated stream beside a passed-through one.
 * `bun run bench routing`: what a choice costs, with as many as 10,000 accounts and 1,000 rules; then, through the executable, what it costs
 * to move on from a provider that refuses connections, and what clients notice of one that fails half of its requests.
 */
import { startChained } from './chained.ts'
import { contendersOf, type Cast } from './contenders.ts'
import { median } from './distribution.ts'
import { measureFlapping } from './flapping.ts'
import { coldStarts, startConfigured } from './gateway.ts'
import { measureHangUp, measureHeldStreams } from './memory.ts'
import { measurePages } from './pages.ts'
import { residentBytes, startHelper } from './processes.ts'
import { measureDialects } from './dialects.ts'
import { heading, number, row, showVerdicts, type Verdict } from './report.ts'
import { measureRefused } from './refused.ts'
import { measureRequests } from './requests.ts'
import { measureRouting } from './routing.ts'
import { FULL, QUICK, type Scale } from './scale.ts'
import { measureInterference, measureStreams } from './streams.ts'
import { measureUsage } from './usage.ts'
import { FULL_LEDGER, QUICK_LEDGER } from './usage-stage.ts'

const MB = 1_000_000
const IDLE_MS = 1_000
/** At which the bounds on CPU for each delta hold. */
const STREAMS = 1_000
/** Rows reach the disk in groups. */
const LEDGER_MS = 500

const HELP = `bun run bench [part] [--quick]

  (no part)  the executable beside a direct call, a bare proxy and a naive translator
  pages      the dashboard over a long log
  usage      reports, exports and upkeep of a ledger of a million requests, and what limits cost
  dialects   what each format costs to read and to write
  routing    what a choice costs, and what moving on from a failing provider does

  --quick    smaller and sooner, for a first look`

/** By the part's name; the one without a name first. */
const PARTS: Readonly<Record<string, (scale: Scale) => Promise<readonly Verdict[]>>> = {
  '': measureGateway,
  pages: measurePages,
  usage: (scale) => measureUsage(scale === QUICK ? QUICK_LEDGER : FULL_LEDGER),
  dialects: async () => [...measureDialects(), ...(await measureTranslation())],
  routing: async (scale) => [...(await measureRouting()), ...(await measureMovingOn(scale))],
}

const asked = process.argv.slice(2)
const [name = ''] = asked.filter((word) => !word.startsWith('-'))
const measure = PARTS[name]
const unknown =
  measure === undefined ? name : asked.find((word) => word.startsWith('-') && !/^--(quick|help)$/.test(word))
if (asked.includes('--help')) console.log(HELP)
else if (measure === undefined || unknown !== undefined) refuse(unknown ?? name)
else conclude(await measure(asked.includes('--quick') ? QUICK : FULL))

function refuse(word: string): void {
  console.error(`bench: there is no "${word}"\n\n${HELP}`)
  process.exitCode = 2
}

function conclude(verdicts: readonly Verdict[]): void {
  const missed = showVerdicts(verdicts)
  console.log(`\n${verdicts.length - missed} of ${verdicts.length} targets met`)
}

async function measureGateway(scale: Scale): Promise<readonly Verdict[]> {
  const starting = await measureColdStart(scale)
  const cast = await startCast()
  try {
    return [...starting, ...(await measureAll(cast, scale))]
  } finally {
    await stopCast(cast)
  }
}

/** A translated stream beside one that passes through, at full load alone: what it costs, and how much more that is. */
async function measureTranslation(): Promise<readonly Verdict[]> {
  const cast = await startCast()
  try {
    const verdicts = await measureStreams(contendersOf(cast), { ...FULL, streams: [STREAMS] })
    // How long things take beside each other is for the whole benchmark to say.
    return verdicts.filter(({ unit }) => unit !== ' ms')
  } finally {
    await stopCast(cast)
  }
}

async function measureMovingOn(scale: Scale): Promise<readonly Verdict[]> {
  const stage = await startChained()
  try {
    return [...(await measureRefused(stage, scale)), ...(await measureFlapping(stage, scale))]
  } finally {
    await stage.stop()
  }
}

async function startCast(): Promise<Cast> {
  const upstream = await startHelper('upstream.ts')
  const bare = await startHelper('bare-proxy.ts', upstream.url)
  const naive = await startHelper('naive-translator.ts', upstream.url)
  return { upstream, bare, naive, gateway: await startConfigured(upstream.url) }
}

async function stopCast({ upstream, bare, naive, gateway }: Cast): Promise<void> {
  await gateway.stop()
  for (const helper of [upstream, bare, naive]) helper.stop()
}

async function measureAll(cast: Cast, scale: Scale): Promise<readonly Verdict[]> {
  await Bun.sleep(IDLE_MS)
  const idle = idleVerdict(cast)
  const contenders = contendersOf(cast)
  const ours = contenders.find(({ name }) => name === 'passed through')
  if (ours === undefined) throw new Error('the gateway is not among the contenders')
  const held = await measureHeldStreams(ours, cast.upstream, scale)
  const hangUp = await measureHangUp(ours, cast.upstream)
  const before = await cast.gateway.recorded()
  const requests = await measureRequests(contenders, scale)
  await Bun.sleep(LEDGER_MS)
  const lost = before + requests.answered - (await cast.gateway.recorded())
  const streams = await measureStreams(contenders, scale)
  const interference = await measureInterference(ours, scale)
  const ledger = { name: 'rows of usage lost', measured: Math.max(lost, 0), bound: 0, unit: '' }
  return [idle, ...requests.verdicts, ...streams, ...interference, ...held, ...hangUp, ledger]
}

async function measureColdStart(scale: Scale): Promise<readonly Verdict[]> {
  const times = await coldStarts(scale.coldStarts)
  heading('Cold start, existing data folder')
  row('start to healthy', `${number(median(times), ' ms')} p50`, `${number(Math.max(...times), ' ms')} max`)
  return [{ name: 'start to healthy', measured: median(times), bound: 150, unit: ' ms' }]
}

function idleVerdict({ gateway }: Cast): Verdict {
  return { name: 'memory idle', measured: residentBytes(gateway.process.pid) / MB, bound: 90, unit: ' MB' }
}
