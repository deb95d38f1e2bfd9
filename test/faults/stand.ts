/**
 * The running program with an owner and a key, and for each question providers of its own, so that what happens to one happens to
 * nobody else. The process is the executable where that is fresh, as for the official libraries.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../sdk/bench.ts'
import { startGateway, type GatewayProcess } from '../support/gateway-process.ts'
import { type Created, Operator } from '../support/operator.ts'
import { json, stream } from '../support/plays.ts'
import { playProvider, type Provider } from '../support/provider.ts'
import { eventually } from './eventually.ts'
import type { Host, Patience } from './fault.ts'
import type { Voice } from './voice.ts'

const AUTHORITY = join(import.meta.dir, 'certificates', 'authority.pem')
const MODEL = 'model'

/** What the second provider of a chain says. */
export const SECOND = 'From the second.'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of the request, under which its row is found. */
  readonly id: string
}

/** A row of the request log, in the parts that are looked at. */
export interface Row {
  readonly status: string
  readonly error_class: string | null
  readonly http: number | null
  readonly attempts: readonly { readonly provider: string; readonly class: string | null; readonly state: string }[]
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
}

export class Stand {
  readonly url: string
  readonly secret: string
  readonly operator: Operator
  readonly #gateway: GatewayProcess
  readonly #folder: string
  readonly #seconds = new Map<string, { readonly played: Provider; readonly place: Promise<Place> }>()
  #made = 0

  private constructor(gateway: GatewayProcess, operator: Operator, secret: string, folder: string) {
    this.url = gateway.url
    this.secret = secret
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
    const operator = await Operator.setUp(gateway.url, gateway.setupToken ?? '')
    const { secret } = await operator.create('/v1/keys', { name: 'faults' })
    return new Stand(gateway, operator, secret, folder)
  }

  /** A provider at an address, with accounts. */
  async place(dialect: string, { url, by }: Pick<Host, 'url' | 'by'>, accounts: number): Promise<Place> {
    const slug = `p${this.#made++}`
    const pool = by === undefined ? undefined : await this.#poolOf(slug, by)
    await this.operator.create('/v1/custom-providers', {
      slug,
      dialects: [{ dialect, base_url: `${url}/v1` }],
      auth_scheme: 'bearer',
      allow_private_network: true,
      models_mode: 'static',
      models: [{ id: MODEL }],
      proxy_pool_id: pool?.id ?? null,
    })
    for (let nth = 0; nth < accounts; nth++)
      await this.operator.create('/v1/accounts', { provider: slug, credentials: { api_key: `${slug}-key-${nth}` } })
    return { slug, model: `${slug}/${MODEL}` }
  }

  #poolOf(name: string, url: string): Promise<Created> {
    return this.operator.create('/v1/proxy-pools', { name, endpoints: [{ url }], strict: true })
  }

  /** The name of a chain that asks `places` in turn, the first with `patience`. */
  async chain(places: readonly Place[], patience: Patience | undefined): Promise<string> {
    const slug = `c${this.#made++}`
    const [first, ...others] = places.map(({ model }) => ({ model }))
    const steps = [{ ...first, ...(patience === undefined ? {} : { timeouts: patience }) }, ...others]
    await this.operator.create('/v1/chains', { name: slug, slug, steps })
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

  async ask({ client, mode }: Voice, model: string, words: string, signal?: AbortSignal): Promise<Answer> {
    const response = await fetch(`${this.url}${client.path}`, {
      method: 'POST',
      headers: { 'x-api-key': this.secret, 'content-type': 'application/json' },
      body: JSON.stringify(client.body(model, words, mode === 'streamed' ? { stream: true } : {})),
      ...(signal === undefined ? {} : { signal }),
    })
    const { status, headers } = response
    return { status, headers, text: await response.text(), id: headers.get('x-request-id') ?? 'none' }
  }

  /** Waits until the request is over in the log, too. */
  async row(id: string): Promise<Row> {
    let row: Row | undefined
    await eventually(async () => {
      row = await this.operator.read<Row>(`/v1/usage/requests/${id}`).catch(() => undefined)
      return row !== undefined && row.status !== 'open'
    }, `the end of ${id} in the log`)
    if (row === undefined) throw new Error(`${id} is not in the log`)
    return row
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
