/** Something for the dashboard's pages to show, made through the REST API as a person would. */
import type { Skill } from '../../src/web/wire.ts'
import type { DashboardServer } from './browser.ts'

/** Fills a server that has its owner. Returns the addresses of pages worth looking at. */
export async function fill(server: DashboardServer): Promise<string[]> {
  await server.call('POST', '/v1/keys', { name: 'laptop', tags: { team: 'platform' } })
  await server.call('POST', '/v1/keys', { name: 'ci-bot', models_allow: ['openai/*', 'deepseek/*'] })
  const skill = await writeSkills(server)
  return ['/', '/profile', '/skills', '/skills/new', `/skills/${skill.id}`, '/settings']
}

const HOUSE_STYLE = `# House style

Write for a reader who is busy and knows the field.

- Short sentences. One idea each.
- British spelling in documents, American in code.

## Commits

One idea each. The subject states the effect, the body
gives the reason and the evidence.
`

/** Some off, one on for everyone and named by a key as well: that one is returned. */
async function writeSkills(server: DashboardServer): Promise<Skill> {
  const write = (name: string, description: string, content: string): Promise<Skill> =>
    server.call<Skill>('POST', '/v1/skills', { name, description, content })
  await write('changelog-writer', 'Entries for users', 'Say what readers can do now.\n')
  await write('sql-reviewer', 'Reads a migration first', 'Read the migration before the query.\n')
  const { id } = await write('house-style', 'How we write prose, code and commits', HOUSE_STYLE)
  await server.call('POST', '/v1/keys', { name: 'docs-bot', skill_ids: [id], skills_mode: 'only' })
  return server.call<Skill>('PATCH', `/v1/skills/${id}`, { enabled: true })
}
