/** Requests through the gateway of a dashboard's server, so that its pages have something to show. */
import type { DashboardServer } from './browser.ts'
import { playProvider, type Play, type Provider } from './provider.ts'

/** A new key's secret. */
export async function newKey(server: DashboardServer, name: string): Promise<string> {
  const { secret } = await server.call<{ secret: string }>('POST', '/v1/keys', { name })
  return secret
}

/** Asks like a client of OpenAI; the answer is read to its end. Returns the request's id. */
export async function ask(server: DashboardServer, key: string, model: string, text = 'Hello'): Promise<string> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'user-agent': 'openai/js 7' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: text }] }),
  })
  await response.text()
  return response.headers.get('x-request-id') ?? ''
}

/** An account whose provider plays `play` for every request. Stop it after the test. */
export async function playedAccount(
  server: DashboardServer,
  { provider, name, priority, play }: { provider: string; name: string; priority: number; play: Play },
): Promise<Provider> {
  const played = playProvider()
  played.otherwise(play)
  await server.call('POST', '/v1/accounts', {
    provider,
    name,
    priority,
    credentials: { api_key: `sk-${name}-0123456789abcdef` },
    base_url_override: `${played.url}/v1`,
    allow_private_network: true,
  })
  return played
}
