/** Accounts at clouds that host others' models, each played by a server on loopback. */
import type { TestApp } from './app.ts'
import { eventOf } from './event-stream.ts'
import { json } from './plays.ts'
import { playProvider, type Play, type Provider } from './provider.ts'
import { serviceAccountJson } from './service-account.ts'

/** The key of `bedrockAccount`. */
export const BEDROCK_KEY = 'ABSKQmVkcm9ja0FQSUtleS0wMTIzNDU2Nzg5'
/** What `vertexAccount`'s played endpoint gives for its key. */
export const VERTEX_TOKEN = 'ya29.played-token'

export async function bedrockAccount(app: TestApp): Promise<Provider> {
  const played = playProvider()
  await add(
    app,
    { provider: 'bedrock', auth_type: 'bearer', credentials: { region: 'us-east-1', api_key: BEDROCK_KEY } },
    played,
  )
  return played
}

/** The played server gives out the token, too, whenever it is asked for one. */
export async function vertexAccount(app: TestApp): Promise<Provider> {
  const tokens = playProvider()
  tokens.otherwise(json({ access_token: VERTEX_TOKEN, expires_in: 3_600, token_type: 'Bearer' }))
  const played = playProvider()
  const credentials = { service_account: serviceAccountJson(`${tokens.url}/token`) }
  await add(app, { provider: 'vertex', auth_type: 'gcp-sa', credentials }, played)
  return { ...played, stop: () => (tokens.stop(), played.stop()) }
}

async function add(app: TestApp, account: object, played: Provider): Promise<void> {
  const place = { name: 'cloud', base_url_override: played.url, allow_private_network: true }
  const { status, body } = await app.owner('POST', '/v1/accounts', { ...account, ...place })
  if (status >= 300) throw new Error(`the dashboard answered ${status}: ${JSON.stringify(body)}`)
}

export type FramedStep = Buffer | 'cut' | 'reset'

/** Binary messages, each sent by itself. It ends properly unless a step said otherwise. */
export function binary(steps: readonly FramedStep[]): Play {
  return (stage) => {
    stage.head(200, { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'played-1' })
    for (const step of steps) {
      if (step === 'cut') return stage.cut()
      if (step === 'reset') return stage.reset()
      stage.write(step)
    }
    stage.end()
  }
}

/** A text as ConverseStream tells it. */
export function converseText(deltas: readonly string[], stopReason = 'end_turn'): readonly Buffer[] {
  return [
    eventOf('messageStart', { role: 'assistant' }),
    ...deltas.map((text) => eventOf('contentBlockDelta', { contentBlockIndex: 0, delta: { text } })),
    eventOf('contentBlockStop', { contentBlockIndex: 0 }),
    eventOf('messageStop', { stopReason }),
    eventOf('metadata', { usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } }),
  ]
}

export function converseReply(text: string, stopReason = 'end_turn'): object {
  return {
    output: { message: { role: 'assistant', content: [{ text }] } },
    stopReason,
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    metrics: { latencyMs: 1 },
  }
}
