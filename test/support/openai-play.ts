/** A provider that speaks OpenAI's format, for pages that add accounts and test them. */
import type { DashboardServer } from './browser.ts'
import { type Play, playProvider, type Provider } from './provider.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Lists two models to whoever has a good key, and limits calls of either. A key with `bad` in it is refused. */
const openAi: Play = ({ request, reply }) => {
  const key = request.headers['authorization'] ?? ''
  if (key.includes('bad')) return reply(401, JSON_TYPE, JSON.stringify({ error: { message: 'Incorrect API key' } }))
  if (request.path.endsWith('/models')) {
    return reply(200, JSON_TYPE, JSON.stringify({ data: [{ id: 'gpt-5-mini' }, { id: 'gpt-new' }] }))
  }
  const limited = { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }
  return reply(429, { ...JSON_TYPE, 'retry-after': '240' }, JSON.stringify(limited))
}

export function playOpenAi(): Provider {
  const played = playProvider()
  played.otherwise(openAi)
  return played
}

/** An account at OpenAI whose address is the played one. */
export function addAccountAt(
  { url }: Provider,
  server: DashboardServer,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string }> {
  return server.call('POST', '/v1/accounts', {
    provider: 'openai',
    name,
    credentials: { api_key: `sk-proj-${name}-0123456789abcdef` },
    base_url_override: `${url}/v1`,
    allow_private_network: true,
    ...more,
  })
}
