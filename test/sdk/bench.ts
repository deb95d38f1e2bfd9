/**
 * The running program as clients of the official libraries meet it: its own process with an owner, a key, and providers on loopback
 * of every dialect in which it asks. The process is the executable when that is newer than all that it is made of, as it is in
 * `bun run verify`; else it is the program from its sources.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UpstreamSample } from '../dialects/samples/sample.ts'
import { factsOf, type VendorFacts } from '../matrix/vendors.ts'
import { program } from '../support/executable.ts'
import { startGateway, type GatewayProcess } from '../support/gateway-process.ts'
import { Operator } from '../support/operator.ts'
import { playProvider, type Provider } from '../support/provider.ts'
import type { Site } from './libraries/library.ts'

/** Room for starting the process and for what it is set up with. */
export const START_MS_MAX = 30_000

/** For asking a library about itself alone. */
export const NOWHERE: Site = { url: 'http://nowhere.test', secret: 'none', model: 'none' }

/** A provider that the gateway knows, and the name of its model there. */
export interface Connection {
  readonly vendor: UpstreamSample
  readonly facts: VendorFacts
  readonly played: Provider
  /** `<provider>/<model>` */
  readonly model: string
}

export class Bench {
  readonly url: string
  readonly secret: string
  readonly #gateway: GatewayProcess
  readonly #operator: Operator
  readonly #place: string
  readonly #providers: Provider[] = []
  #connected = 0

  private constructor(gateway: GatewayProcess, operator: Operator, secret: string, place: string) {
    this.url = gateway.url
    this.secret = secret
    this.#gateway = gateway
    this.#operator = operator
    this.#place = place
  }

  static async open(): Promise<Bench> {
    const place = mkdtempSync(join(tmpdir(), 'signalbox-sdk-'))
    const dataDir = join(place, 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    const gateway = await startGateway({ executable: program(), dataDir })
    const operator = await Operator.setUp(gateway.url, gateway.setupToken ?? '')
    const { secret } = await operator.create('/v1/keys', { name: 'libraries' })
    return new Bench(gateway, operator, secret, place)
  }

  /** A provider of its own for whoever asks, so that what happens to it happens to nobody else. */
  async connect(vendor: UpstreamSample): Promise<Connection> {
    const facts = factsOf(vendor.id)
    const played = playProvider()
    this.#providers.push(played)
    const slug = `at-${vendor.id}-${this.#connected++}`
    await this.#operator.create('/v1/custom-providers', {
      slug,
      dialects: [{ dialect: facts.wireName, base_url: played.url + facts.base }],
      auth_scheme: 'none',
      allow_private_network: true,
      models_mode: 'static',
      models: [{ id: facts.model, capabilities: { thinking: 'effort', efforts: ['low', 'high'] } }],
    })
    await this.#operator.create('/v1/accounts', { provider: slug, name: slug })
    return { vendor, facts, played, model: `${slug}/${facts.model}` }
  }

  /** Where a library finds a model. */
  site(model: string): Site {
    return { url: this.url, secret: this.secret, model }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gateway.signal('SIGTERM')
    await this.#gateway.exited
    for (const provider of this.#providers) provider.stop()
    rmSync(this.#place, { recursive: true, force: true })
  }
}
