/**
 * A whole App in memory, made as the program makes it: an owner, a gateway key, and accounts whose provider is a server on
 * loopback that plays a script. Tests ask it as clients and operators do and look at what it wrote down. Use it with
 * `await using`, so that its sockets close with the test.
 */
import { createApp, type App, type AppParts } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/core/clock.ts'
import { COMMIT_MS } from '../../src/ledger/writer.ts'
import { listen, type Server } from '../../src/server.ts'
import { HandClock } from './clock.ts'
import { type Answer, type Call, callerOf, HASH_COST, OWNER, value } from './dashboard.ts'
import type { Created } from './operator.ts'
import { playProvider, type Provider } from './provider.ts'
import { seededRandom } from './random.ts'
import { turn, until } from './until.ts'

export interface AppOptions {
  /** How many accounts each provider has; each account has a played provider of its own. */
  readonly accounts?: Readonly<Record<string, number>>
  /** A patch of the settings. */
  readonly settings?: object
  /** Fields of the gateway key. */
  readonly key?: object
  /** Skills in creation order, switched on. */
  readonly skills?: readonly string[]
  /** `HandClock` unless given. */
  readonly clock?: Clock
  readonly seed?: number
  readonly liveRequestsMax?: number
  /** As in `internet.ts`; without it the network is what it really is. */
  readonly internet?: AppParts['internet']
}

/** An account and the server that plays its provider. */
export interface Upstream {
  readonly accountId: string
  readonly secret: string
  readonly played: Provider
}

/** A row of the request log with its attempts. */
export interface Row {
  readonly id: string
  readonly status: string
  readonly error_class: string | null
  readonly http: number | null
  readonly attempts: readonly RowAttempt[]
  // The tests say what they expect; a wrong shape fails there.
  readonly [field: string]: any // oxlint-disable-line typescript/no-explicit-any
}

export interface RowAttempt {
  readonly account: string | null
  readonly class: string | null
  readonly http: number | null
  readonly state: string
  readonly cost_source: string | null
  readonly detail: string | null
  readonly upstream_request_id: string | null
}

export interface TestApp extends AsyncDisposable {
  readonly app: App
  /** The clock to move; throws when the test brought its own. */
  readonly clock: HandClock
  readonly key: Created
  /** Those of `skills`, in the same order. */
  readonly skillIds: readonly string[]
  /** Lines of the program's log. */
  readonly log: readonly string[]
  /** The dashboard, signed in as its owner. */
  readonly owner: Call
  upstream(provider: string, index?: number): Upstream
  /** As a client, inside the process; with the gateway key unless the headers bring another credential. */
  request(path: string, init?: ClientRequest): Promise<Response>
  /** The answer read to its end; JSON where it says so. */
  ask(path: string, init?: ClientRequest): Promise<Answer>
  /** The URL of a real listener on loopback. */
  listen(): Promise<string>
  /** Every request so far, oldest first, once none of them is open. */
  rows(): Promise<readonly Row[]>
  /** The state of an account, as operators see it. */
  account(upstream: Upstream): Promise<Readonly<Record<string, unknown>>>
}

export interface ClientRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A string or bytes go as they are, everything else as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal
}

const CREDENTIAL_HEADERS = ['authorization', 'x-api-key', 'x-gateway-key'] as const
const PEER = { address: '127.0.0.1', bodyRead: () => undefined, answered: () => undefined }

export async function makeApp(options: AppOptions = {}): Promise<TestApp> {
  const { accounts = { anthropic: 1, openai: 1 }, clock = new HandClock(), seed = 1 } = options
  const log: string[] = []
  const write = (level: string, source: string, message: string, fields: object = {}): void =>
    void log.push(`${level} ${source} ${message} ${JSON.stringify(fields)}`)
  const config = value(readConfig({ 'data-dir': '/nonexistent' }, {}))
  const { liveRequestsMax = 1_000, internet } = options
  const parts = { databases: 'memory', clock, random: seededRandom(seed), log: { write }, liveRequestsMax } as const
  const network = internet === undefined ? {} : { internet }
  const app = value(await createApp(config, { ...parts, ...network, hashCost: HASH_COST }))
  const token = (await app.setupToken()) ?? ''
  const session = value(await app.auth.completeSetUp(token, OWNER, { requestId: null, address: PEER.address }))
  const owner = callerOf({ handle: (request) => app.handle(request, PEER) }, session.accessToken)
  const skillIds = await addSkills(owner, options.skills ?? [])
  if (options.settings !== undefined) await changed(owner('PATCH', '/v1/settings', options.settings))
  const key = await changed(owner('POST', '/v1/keys', { name: 'client', ...options.key }))
  const upstreams = await addAccounts(owner, accounts)
  return new Bench({ app, clock, key, skillIds, log, owner, upstreams })
}

interface Parts extends Pick<TestApp, 'app' | 'key' | 'skillIds' | 'log' | 'owner'> {
  readonly clock: Clock
  readonly upstreams: ReadonlyMap<string, readonly Upstream[]>
}

class Bench implements TestApp {
  readonly app: App
  readonly key: Created
  readonly skillIds: readonly string[]
  readonly log: readonly string[]
  readonly owner: Call
  readonly #clock: Clock
  readonly #upstreams: ReadonlyMap<string, readonly Upstream[]>
  #server: Server | undefined

  constructor({ app, clock, key, skillIds, log, owner, upstreams }: Parts) {
    this.app = app
    this.#clock = clock
    this.key = key
    this.skillIds = skillIds
    this.log = log
    this.owner = owner
    this.#upstreams = upstreams
  }

  get clock(): HandClock {
    if (this.#clock instanceof HandClock) return this.#clock
    throw new Error('this app runs on a clock of the test')
  }

  upstream(provider: string, index = 0): Upstream {
    const upstream = this.#upstreams.get(provider)?.[index]
    if (upstream === undefined) throw new Error(`there is no account ${index} of ${provider}`)
    return upstream
  }

  request(path: string, init: ClientRequest = {}): Promise<Response> {
    return this.app.handle(clientRequest(`http://gateway.test${path}`, this.key.secret, init), PEER)
  }

  async ask(path: string, init: ClientRequest = {}): Promise<Answer> {
    const response = await this.request(path, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  async listen(): Promise<string> {
    this.#server ??= value(listen(this.app, { host: '127.0.0.1', port: 0, tls: null }))
    return this.#server.url
  }

  async rows(): Promise<readonly Row[]> {
    await until(() => this.app.inFlight() === 0, 'the end of all requests')
    if (this.#clock instanceof HandClock) this.#clock.advance(COMMIT_MS)
    else
      await until(async () => (await this.#list()).every(({ status }) => status !== 'open'), 'the commit of all rows')
    const rows = await this.#list()
    const details = rows.map(async ({ id }) => (await this.owner('GET', `/v1/usage/requests/${id}`)).body.data as Row)
    return (await Promise.all(details)).reverse()
  }

  async account({ accountId }: Upstream): Promise<Readonly<Record<string, unknown>>> {
    return (await this.owner('GET', `/v1/accounts/${accountId}`)).body.data
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server !== undefined) await this.#stop(this.#server.stop(0))
    await this.app.close()
    for (const { played } of [...this.#upstreams.values()].flat()) played.stop()
  }

  async #list(): Promise<readonly Row[]> {
    return (await this.owner('GET', '/v1/usage/requests?limit=100')).body.data
  }

  /** A clock that stands still would never let the server's own patience end. */
  async #stop(stopped: Promise<void>): Promise<void> {
    let isStopped = false
    void stopped.then(() => (isStopped = true))
    await until(() => {
      if (this.#clock instanceof HandClock) this.#clock.advance(100)
      return isStopped
    }, 'the stop of the server')
    await turn()
  }
}

/** A request as a client makes it: JSON, with the gateway key unless the headers bring a credential. */
export function clientRequest(
  url: string,
  secret: string,
  { body, headers = {}, method, signal }: ClientRequest,
): Request {
  const all = new Headers({ 'content-type': 'application/json', ...headers })
  if (!CREDENTIAL_HEADERS.some((name) => all.has(name))) all.set('x-api-key', secret)
  return new Request(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: all,
    ...(body === undefined ? {} : { body: bytesOf(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body)
}

async function addSkills(owner: Call, contents: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const [index, content] of contents.entries()) {
    const skill = { name: `skill-${index}`, description: 'a skill', content }
    const { id } = await changed(owner('POST', '/v1/skills', skill))
    await changed(owner('PATCH', `/v1/skills/${id}`, { enabled: true }))
    ids.push(id)
  }
  return ids
}

async function addAccounts(
  owner: Call,
  wanted: Readonly<Record<string, number>>,
): Promise<ReadonlyMap<string, readonly Upstream[]>> {
  const all = new Map<string, readonly Upstream[]>()
  for (const [provider, count] of Object.entries(wanted)) {
    const upstreams: Upstream[] = []
    for (let index = 0; index < count; index++) upstreams.push(await addAccount(owner, provider, index))
    all.set(provider, upstreams)
  }
  return all
}

async function addAccount(owner: Call, provider: string, index: number): Promise<Upstream> {
  const played = playProvider()
  const secret = `sk-upstream-${provider}-${index}-0123456789`
  const account = {
    provider,
    name: `${provider} ${index}`,
    credentials: { api_key: secret },
    base_url_override: `${played.url}/v1`,
    allow_private_network: true,
    priority: index,
  }
  const { id } = await changed(owner('POST', '/v1/accounts', account))
  return { accountId: id, secret, played }
}

async function changed(call: Promise<Answer>): Promise<Created> {
  const { status, body } = await call
  if (status >= 300) throw new Error(`the dashboard answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}
