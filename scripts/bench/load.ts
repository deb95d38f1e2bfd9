/**
 * The clients of the benchmark, as their own process: does the one job in `argv[2]` and prints what it measured. Latencies are
 * milliseconds.
 */
import { sharedMicros, STAMP, STAMP_LENGTH_MAX } from './clock.ts'
import { type Distribution, distributionOf } from './distribution.ts'
import { type Address, RawClient, type Reply } from './raw-client.ts'

export interface Target extends Address {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export type Job =
  | {
      /** Each connection sends its next request when the last one is answered. */
      readonly kind: 'requests'
      readonly target: Target
      readonly body: string
      /** The body's last text is repeated up to this size. */
      readonly bodyBytes: number
      readonly connections: number
      readonly durationMs: number
    }
  | {
      /** Streams that run side by side, each read to its end. */
      readonly kind: 'streams'
      readonly target: Target
      readonly body: string
      readonly streams: number
      /** How many each client reads, one after another. */
      readonly rounds: number
      /** The clients begin spread over this time: what is measured is a busy service, not a starting pistol. */
      readonly spreadMs: number
    }
  | {
      /** Requests that come when they are due, whatever became of those before; the bodies take turns. */
      readonly kind: 'paced'
      readonly target: Target
      readonly bodies: readonly string[]
      readonly perSecond: number
      readonly durationMs: number
      /** As many as are under way at once at most: what is due waits for its connection. */
      readonly connections: number
    }
  | {
      /** Opens streams, says when every one has had its first delta, and leaves when its input ends. */
      readonly kind: 'hold'
      readonly target: Target
      readonly body: string
      readonly streams: number
    }

export interface RequestsMeasured {
  /** Answered, the warm-up included: what the other side has worked for. */
  readonly total: number
  readonly errors: number
  readonly perSecond: number
  readonly latency: Distribution
}

export interface StreamsMeasured {
  readonly errors: number
  readonly deltas: number
  /** From the request to the first delta's arrival. */
  readonly firstToken: Distribution
  /** From a delta's sending to its arrival. */
  readonly delay: Distribution
  readonly delayMax: number
}

export interface PacedMeasured {
  /** What became of each of the bodies. */
  readonly bodies: readonly PacedBody[]
  /** Sent, as far as the machine let us. */
  readonly perSecond: number
}

export interface PacedBody {
  readonly due: number
  readonly answered: number
  /** How often the gateway asked a provider, as its answers say. */
  readonly attempts: number
  /** From the moment a request was due to the end of its answer. */
  readonly latency: Distribution
}

/** Requests before measuring begins, so that connections, caches and the compiler are warm. */
const WARM_UP_SHARE = 0.2
/** Connections are opened this many at a time: a listening socket's queue is finite. */
const CONNECT_BATCH = 100
const MICROS_PER_MS = 1_000
/** In every answer that came to its end: a stream that is cut has a good status, too. */
const WHOLE = '"finish_reason":"stop"'
/** Stands in a body for the text that fills it up. */
export const FILLER = '%filler%'

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '{}') as Job)

async function main(job: Job): Promise<void> {
  if (job.kind === 'requests') console.log(JSON.stringify(await runRequests(job)))
  else if (job.kind === 'streams') console.log(JSON.stringify(await runStreams(job)))
  else if (job.kind === 'paced') console.log(JSON.stringify(await runPaced(job)))
  else await holdStreams(job)
  process.exit(0)
}

async function runRequests(job: Job & { kind: 'requests' }): Promise<RequestsMeasured> {
  const request = encode(job.target, fill(job.body, job.bodyBytes))
  const latencies: number[] = []
  const seen = { total: 0, errors: 0 }
  const beginMs = performance.now() + job.durationMs * WARM_UP_SHARE
  const endMs = beginMs + job.durationMs
  const clients = await connectAll(job.target, job.connections)
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < endMs) {
        const sentMs = performance.now()
        const { status } = await client.send(request)
        const nowMs = performance.now()
        seen.total++
        if (status !== 200) seen.errors++
        else if (sentMs >= beginMs && nowMs <= endMs) latencies.push(nowMs - sentMs)
      }
    }),
  )
  const perSecond = (latencies.length * 1_000) / job.durationMs
  return { ...seen, perSecond, latency: distributionOf(latencies) }
}

async function runStreams(job: Job & { kind: 'streams' }): Promise<StreamsMeasured> {
  const request = encode(job.target, job.body)
  const firsts: number[] = []
  const delays: number[] = []
  const readOne = (client: RawClient): Promise<Reply> => {
    const sentMicros = sharedMicros()
    const onStamp: OnStamp = (stampedMicros, nowMicros, isFirst) => {
      if (isFirst) firsts.push((nowMicros - sentMicros) / MICROS_PER_MS)
      else delays.push((nowMicros - stampedMicros) / MICROS_PER_MS)
    }
    return client.send(request, stampReader(onStamp))
  }
  const clients = await connectAll(job.target, job.streams)
  const errors = await Promise.all(
    clients.map(async (client, index) => {
      await Bun.sleep((job.spreadMs * index) / job.streams)
      return countErrors(job.rounds, () => readOne(client))
    }),
  )
  const total = errors.reduce((sum, count) => sum + count, 0)
  const deltas = firsts.length + delays.length
  const delayMax = delays.reduce((longest, delay) => Math.max(longest, delay), 0)
  return { errors: total, deltas, firstToken: distributionOf(firsts), delay: distributionOf(delays), delayMax }
}

/** A connection that is lost fails what was left for it to do. */
async function countErrors(rounds: number, read: () => Promise<Reply>): Promise<number> {
  for (let round = 0; round < rounds; round++) {
    try {
      if ((await read()).status !== 200) return rounds - round
    } catch {
      return rounds - round // counted, which is all that a benchmark can do about it
    }
  }
  return 0
}

interface PacedKind {
  readonly request: Uint8Array
  readonly due: number
  attempts: number
  readonly latencies: number[]
}

async function runPaced(job: Job & { kind: 'paced' }): Promise<PacedMeasured> {
  const { target, bodies, perSecond, durationMs, connections } = job
  const total = Math.floor((durationMs * perSecond) / 1_000)
  const kinds = bodies.map((body): PacedKind => {
    return { request: encode(target, body), due: total / bodies.length, attempts: 0, latencies: [] }
  })
  const clients = await connectAll(target, connections)
  const beginMs = performance.now()
  let sentMs = beginMs
  const askInTurn = async (client: RawClient, first: number): Promise<void> => {
    for (let nth = first; nth < total; nth += connections) {
      const dueMs = beginMs + (nth * 1_000) / perSecond
      await Bun.sleep(Math.max(0, dueMs - performance.now()))
      sentMs = performance.now()
      const kind = kinds[nth % kinds.length]
      if (kind !== undefined) await askDue(client, kind, dueMs)
    }
  }
  // A connection that is lost leaves the rest of its requests unanswered.
  await Promise.allSettled(clients.map(askInTurn))
  return { bodies: kinds.map(pacedBody), perSecond: (total * 1_000) / (sentMs - beginMs) }
}

async function askDue(client: RawClient, kind: PacedKind, dueMs: number): Promise<void> {
  let body = ''
  const { status, head } = await client.send(kind.request, (bytes) => void (body += bytes.toString('latin1')))
  kind.attempts += Number(/x-gateway-attempts: *(\d+)/.exec(head)?.[1] ?? 0)
  if (status === 200 && body.includes(WHOLE)) kind.latencies.push(performance.now() - dueMs)
}

function pacedBody({ due, attempts, latencies }: PacedKind): PacedBody {
  return { due, answered: latencies.length, attempts, latency: distributionOf(latencies) }
}

async function holdStreams({ target, body, streams }: Job & { kind: 'hold' }): Promise<void> {
  const request = encode(target, body)
  const clients = await connectAll(target, streams)
  const flowing = clients.map(
    (client) =>
      new Promise<boolean>((resolve) => {
        const onStamp = stampReader(() => resolve(true))
        client.send(request, onStamp).then(
          () => resolve(false),
          () => resolve(false),
        )
      }),
  )
  const open = (await Promise.all(flowing)).filter(Boolean).length
  console.log(JSON.stringify({ open }))
  for await (const _ of Bun.stdin.stream()) break
  for (const client of clients) client.close()
}

async function connectAll(address: Address, count: number): Promise<RawClient[]> {
  const clients: RawClient[] = []
  while (clients.length < count) {
    const batch = Math.min(CONNECT_BATCH, count - clients.length)
    clients.push(...(await Promise.all(Array.from({ length: batch }, () => RawClient.connect(address)))))
  }
  return clients
}

type OnStamp = (stampedMicros: number, nowMicros: number, isFirst: boolean) => void

/** Calls back for every stamp in a body, wherever its pieces are cut. */
function stampReader(onStamp: OnStamp) {
  let rest = ''
  let isFirst = true
  return (bytes: Buffer): void => {
    const nowMicros = sharedMicros()
    const text = rest + bytes.toString('latin1')
    let from = 0
    for (const match of text.matchAll(STAMP)) {
      onStamp(Number(match[1]), nowMicros, isFirst)
      isFirst = false
      from = match.index + match[0].length
    }
    rest = text.slice(Math.max(from, text.length - STAMP_LENGTH_MAX))
  }
}

function fill(body: string, bytes: number): string {
  return body.replace(FILLER, 'x'.repeat(Math.max(1, bytes - body.length + FILLER.length)))
}

function encode({ host, port, path, headers }: Target, body: string): Uint8Array {
  const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}:${port}\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n`
  return Buffer.from(head + body)
}
