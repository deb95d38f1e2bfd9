import { authentication, type ReferenceSkill } from './reference-skill.ts'

/** Where an agent begins: the address, the key, the check, and the index of the other guides. */
export function routerSetup(others: readonly ReferenceSkill[]): ReferenceSkill {
  return {
    slug: 'router-setup',
    title: 'Signalbox: setup',
    description: 'Point a client at this Signalbox gateway and find the guide for each of its endpoints.',
    paths: [],
    body: ({ baseUrl, servedPaths }) => `
Signalbox is a gateway in front of model providers: one address and one key for all of them.

${authentication(baseUrl)}

## Check that it works

\`demo/echo\` needs no provider account and costs nothing:

\`\`\`sh
curl -s ${baseUrl}/v1/messages \\
  -H "x-api-key: $SIGNALBOX_KEY" -H "content-type: application/json" \\
  -d '{"model":"demo/echo","max_tokens":64,"messages":[{"role":"user","content":"hello"}]}'
\`\`\`

## Clients

| Client | Setting |
|---|---|
| Anthropic SDK, Claude Code | \`ANTHROPIC_BASE_URL=${baseUrl}\` and \`ANTHROPIC_AUTH_TOKEN=$SIGNALBOX_KEY\` |
| OpenAI SDK, Codex | base URL \`${baseUrl}/v1\` and the key as API key |
| anything else | plain HTTP as in the guides below |

## Guides

| Guide | Covers | Address |
|---|---|---|
${others.map((guide) => rowOf(guide, baseUrl, servedPaths)).join('\n')}
`,
  }
}

function rowOf({ slug, title, paths }: ReferenceSkill, baseUrl: string, served: ReadonlySet<string>): string {
  const covered = paths.map((path) => (served.has(path) ? `\`${path}\`` : `\`${path}\` (not yet)`)).join(', ')
  return `| ${title} | ${covered} | ${baseUrl}/skills/${slug}/SKILL.md |`
}
