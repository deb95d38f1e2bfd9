/** The gateway with providers of the benchmark's own, and chains that lead from one that is in trouble to one that is not. */
import type { Operator } from '../../test/support/operator.ts'
import { CREDENTIALS, type Gateway, gatewayTarget, startPrepared } from './gateway.ts'
import type { PacedBody, PacedMeasured } from './load.ts'
import { type Helper, runLoad, startHelper } from './processes.ts'

/** Models as `upstream.ts` plays them. */
export const MODELS = ['plain', 'stream-1-0', 'stream-10-50'] as const
export type Model = (typeof MODELS)[number]

export interface Provider {
  readonly slug: string
  /** One account for each, asked in this order. */
  readonly accountUrls: readonly string[]
  /** In front of the names of its models. */
  readonly prefix?: string
}

export interface Chained {
  readonly gateway: Gateway
  /** Of the provider that never fails, and of those that do. */
  readonly steady: Helper
  readonly flapping: Helper
  stop(): Promise<void>
}

/** The provider that never fails. */
export const STEADY = 'steady'

export async function startChained(): Promise<Chained> {
  const steady = await startHelper('upstream.ts')
  const flapping = await startHelper('upstream.ts')
  const gateway = await startPrepared((operator) => addProvider(operator, { slug: STEADY, accountUrls: [steady.url] }))
  return {
    gateway,
    steady,
    flapping,
    async stop() {
      await gateway.stop()
      for (const helper of [steady, flapping]) helper.stop()
    },
  }
}

export async function addProvider(operator: Operator, { slug, accountUrls, prefix = '' }: Provider): Promise<void> {
  await operator.create('/v1/custom-providers', {
    slug,
    dialects: [{ dialect: 'openai_chat', base_url: `${accountUrls[0]}/v1` }],
    auth_scheme: 'bearer',
    allow_private_network: true,
    models_mode: 'static',
    models: MODELS.map((model) => ({ id: `${prefix}${model}` })),
  })
  for (const [priority, url] of accountUrls.entries()) {
    const place = { base_url_override: `${url}/v1`, allow_private_network: true }
    await operator.create('/v1/accounts', { provider: slug, credentials: CREDENTIALS, priority, ...place })
  }
}

/** What clients write to ask `models` by `strategy`. */
export async function addChain(
  operator: Operator,
  slug: string,
  strategy: string,
  models: readonly string[],
): Promise<string> {
  await operator.create('/v1/chains', { name: slug, slug, strategy, steps: models.map((model) => ({ model })) })
  return `chain/${slug}`
}

export interface Pace {
  readonly perSecond: number
  readonly durationMs: number
  readonly connections: number
}

/** Asks in turn for `names`, all of which lead to `model`. */
export async function askAtPace(
  { gateway }: Chained,
  names: readonly string[],
  model: Model,
  pace: Pace,
): Promise<PacedMeasured> {
  const target = gatewayTarget(gateway, '/v1/chat/completions')
  const messages = [{ role: 'user', content: 'Tell me a story.' }]
  const bodies = names.map((name) => JSON.stringify({ model: name, stream: model !== 'plain', messages }))
  return runLoad<PacedMeasured>({ kind: 'paced', target, bodies, ...pace })
}

/** How many requests were not answered. */
export function errorsOf({ due, answered }: PacedBody): number {
  return due - answered
}
