/**
 * The running program with an owner and a key, and for each question providers of its own, so that what happens to one happens to
 * nobody else. The process is the executable where that is fresh, as for the official libraries.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../support/executable.ts'
import { startGateway, type GatewayProcess } from '../support/gateway-process.ts'
import { type Created, Operator } from '../support/operator.ts'
import { json, stream } from '../support/plays.ts'
import { playProvider, type Provider } from '../support/provider.ts'
import { limitEverything, OUTPUT_TOKENS_MAX, PRICE } from './allotment.ts'
import { eventually } from './eventually.ts'
import type { Host, Patience } from './fault.ts'
import type { Voice } from './voice.ts'

const AUTHORITY = join(import.meta.dir, 'certificates', 'authority.pem')
const MODEL = 'model'

/** For what is asked with the key of everybody. */
const TOGETHER_MAX = 1_000

/** What the second provider of a chain says. */
export const SECOND = 'From the second.'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of the request, under which its row is found. */
  readonly id: string
}

interface Listed {
  readonly id: string
  readonly status: string
}

/** A row of the request log, in the parts that are looked at. */
export interface Row extends Listed {
  readonly error_class: string | null
  readonly http: number | null
  readonly cost_usd: number
  readonly attempts: readonly RowAttempt[]
}

export interface RowAttempt {
  readonly provider: string
  readonly class: string | null
  readonly state: string
  readonly cost_usd: number
}

/** Of the gateway. */
export interface Key {
  readonly id: string
  readonly secret: string
}

/** How a question is asked. */
export interface Manner {
  /** The key of everybody, unless it is one's own. */
  readonly key?: Key
  readonly signal?: AbortSignal
  /** Of the body. */
  readonly more?: object
  readonly headers?: Readonly<Record<string, string>>
}

export interface Stats {
  readonly process: { readonly rss_bytes: number; readonly heap_used: number; readonly fds: number | null }
  readonly gateway: { readonly in_flight: number; readonly streams_open: number; readonly queued: number }
  readonly log_writer: { readonly pending: number; readonly dropped: number }
}

export interface StandOptions {
  /** What stands in front of the program: whatever starts it in other surroundings. */
  readonly prefix?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A provider that was made for one question. */
export interface Place {
  readonly slug: string
  /** `<provider>/<model>` */
  readonly model: string
  /** The id of the proxies in between. */
  readonly pool?: string
}

export class Stand {
  readonly url: string
  /** Of everybody; all others may have one request under way. */
  readonly key: Key
  readonly operator: Operator
  readonly #gateway: GatewayProcess
  readonly #folder: string
  readonly #seconds = new Map<string, { readonly played: Provider; readonly place: Promise<Place> }>()
  #made = 0

  private constructor(gateway: GatewayProcess, operator: Operator, key: Key, folder: string) {
    this.url = gateway.url
    this.key = key
    this.operator = operator
    this.#gateway = gateway
    this.#folder = folder
  }

  static async open({ prefix = [], args = [], env = {} }: StandOptions = {}): Promise<Stand> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-faults-'))
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    const [first, ...rest] = [...prefix, ...program()]
    const gateway = await startGateway({
      executable: [first ?? '', ...rest],
      dataDir,
      args,
      env: { NODE_EXTRA_CA_CERTS: AUTHORITY, ...env },
    })
    const operator = (await Operator.setUp(gateway.url, gateway.setupToken ?? '')).leavingNothing()
    await limitEverything(operator)
    const key = await operator.create('/v1/keys', { name: 'faults', limits: { max_concurrency: TOGETHER_MAX } })
    return new Stand(gateway, operator, key, folder)
  }

  /** A key for one question after the other, unless its own limits say otherwise. */
  ownKey(limits: object | null = null): Promise<Key> {
    return this.operator.create('/v1/keys', { name: `k${this.#made++}`, limits })
  }

  /** Says something to the program itself. The status. */
  async echo({ secret }: Key): Promise<number> {
    const body = JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: 'still there?' }] })
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' }
    const response = await fetch(`${this.url}/v1/chat/completions`, { method: 'POST', headers, body, keepalive: false })
    await response.bytes()
    return response.status
  }

  /** A provider at an address, with accounts. `capabilities`: of its model. */
  async place(
    dialect: string,
    { url, by }: Pick<Host, 'url' | 'by'>,
    accounts: number,
    capabilities: object = {},
  ): Promise<Place> {
    const slug = `p${this.#made++}`
    const pool = by === undefined ? undefined : await this.#poolOf(slug, by)
    await this.operator.create('/v1/custom-providers', {
      slug,
      dialects: [{ dialect, base_url: `${url}/v1` }],
      auth_scheme: 'bearer',
      allow_private_network: true,
      models_mode: 'static',
      models: [{ id: MODEL, max_output: OUTPUT_TOKENS_MAX, price: PRICE, capabilities }],
      proxy_pool_id: pool?.id ?? null,
    })
    for (let nth = 0; nth < accounts; nth++)
      await this.operator.create('/v1/accounts', { provider: slug, credentials: { api_key: `${slug}-key-${nth}` } })
    return { slug, model: `${slug}/${MODEL}`, ...(pool === undefined ? {} : { pool: pool.id }) }
  }

  /** Dead proxies are looked after; soon their ports are those of somebody else, who counts every caller. */
  async leave({ pool }: Place): Promise<void> {
    if (pool !== undefined) await this.operator.change(`/v1/proxy-pools/${pool}`, { enabled: false })
  }

  #poolOf(name: string, url: string): Promise<Created> {
    return this.operator.create('/v1/proxy-pools', { name, endpoints: [{ url }], strict: true })
  }

  /** What asks `places` in turn, the first with `patience`: a chain, where a model's own name does not say it all. */
  async chain(places: readonly Place[], patience: Patience | undefined): Promise<string> {
    const [first, ...others] = places.map(({ model }) => ({ model }))
    if (first !== undefined && others.length === 0 && patience === undefined) return first.model
    return this.chainOf({ steps: [{ ...first, ...(patience === undefined ? {} : { timeouts: patience }) }, ...others] })
  }

  /** The name of a chain with these rules. */
  async chainOf(rules: object): Promise<string> {
    const slug = `c${this.#made++}`
    await this.operator.create('/v1/chains', { name: slug, slug, ...rules })
    return `chain/${slug}`
  }

  /** A provider of a voice's format that never fails, the same for all. */
  second({ dialect, speaker }: Voice): Promise<Place> {
    const known = this.#seconds.get(dialect)
    if (known !== undefined) return known.place
    const played = playProvider()
    played.otherwise((stage) => {
      const isStream = stage.request.text().includes('"stream":true')
      return (isStream ? stream(speaker.stream([SECOND])) : json(speaker.reply(SECOND)))(stage)
    })
    const place = this.place(dialect, played, 1)
    this.#seconds.set(dialect, { played, place })
    return place
  }

  /** How often the second provider of a format was asked with `words`. */
  secondHits({ dialect }: Voice, words: string): number {
    const requests = this.#seconds.get(dialect)?.played.requests ?? []
    return requests.filter((request) => request.text().includes(words)).length
  }

  async ask({ client, mode }: Voice, model: string, words: string, manner: Manner = {}): Promise<Answer> {
    const { key = this.key, signal, more = {}, headers: theirs = {} } = manner
    const streamed = mode === 'streamed' ? { stream: true } : {}
    const response = await fetch(`${this.url}${client.path}`, {
      method: 'POST',
      headers: { 'x-api-key': key.secret, 'content-type': 'application/json', ...theirs },
      body: JSON.stringify(client.body(model, words, { ...streamed, ...more })),
      // What the test itself leaves open would hide what the program does.
      keepalive: false,
      ...(signal === undefined ? {} : { signal }),
    })
    const { status, headers } = response
    return { status, headers, text: await response.text(), id: headers.get('x-request-id') ?? 'none' }
  }

  /** Waits until the request is over in the log, too. */
  async row(id: string): Promise<Row> {
    const rows = await this.#over(`the end of ${id} in the log`, async () => {
      const row = await this.operator.read<Row>(`/v1/usage/requests/${id}`).catch(() => undefined)
      return row === undefined ? [] : [row]
    })
    return rows[0]
  }

  /** The one request of a key, whose client knows no more of it. */
  async rowOf({ id }: Key): Promise<Row> {
    const [{ id: requestId }] = await this.#over(`a request of ${id} in the log`, () =>
      this.operator.read<readonly Listed[]>(`/v1/usage/requests?key_id=${id}`),
    )
    return this.row(requestId)
  }

  async #over<T extends Listed>(what: string, read: () => Promise<readonly T[]>): Promise<readonly [T, ...T[]]> {
    let found: readonly [T, ...T[]] | undefined
    await eventually(async () => {
      const [row, ...more] = await read()
      if (row !== undefined && row.status !== 'open') found = [row, ...more]
      return found !== undefined
    }, what)
    if (found === undefined) throw new Error(`${what} has not come`)
    return found
  }

  stats(): Promise<Stats> {
    return this.operator.read<Stats>('/v1/system/stats')
  }

  output(): string {
    return this.#gateway.output()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gateway.signal('SIGTERM')
    await this.#gateway.exited
    for (const { played } of this.#seconds.values()) played.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
