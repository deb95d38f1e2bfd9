/** Something for the dashboard's pages to show, made through the REST API as a person would. */
import type { DashboardServer } from './browser.ts'

/** Fills a server that has its owner. Returns the addresses of pages worth looking at. */
export async function fill(server: DashboardServer): Promise<string[]> {
  await server.call('POST', '/v1/keys', { name: 'laptop', tags: { team: 'platform' } })
  await server.call('POST', '/v1/keys', { name: 'ci-bot', models_allow: ['openai/*', 'deepseek/*'] })
  return ['/', '/profile']
}
