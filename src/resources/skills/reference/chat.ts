import { authentication, type ReferenceSkill } from './reference-skill.ts'

export const chat: ReferenceSkill = {
  slug: 'chat',
  title: 'Chat',
  description: 'Talk to any model through this gateway, in the Messages, Chat Completions or Responses format.',
  paths: ['/v1/messages', '/v1/chat/completions', '/v1/responses'],
  body: ({ baseUrl }) => `
${authentication(baseUrl)}

Every model answers in whichever format you ask in; the gateway translates where the provider speaks another one.

## Messages

\`\`\`sh
curl -s ${baseUrl}/v1/messages \\
  -H "x-api-key: $SIGNALBOX_KEY" -H "content-type: application/json" \\
  -d '{"model":"anthropic/claude-sonnet-4-5","max_tokens":256,"system":"Be brief.",
       "messages":[{"role":"user","content":"Why is the sky blue?"}]}'
\`\`\`

The text is in \`content[].text\`, the tokens in \`usage\`. \`POST ${baseUrl}/v1/messages/count_tokens\` estimates the input
tokens of the same body without calling a provider.

## Chat Completions

\`\`\`sh
curl -s ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" -H "content-type: application/json" \\
  -d '{"model":"openai/gpt-5.2","messages":[{"role":"user","content":"Why is the sky blue?"}]}'
\`\`\`

The text is in \`choices[0].message.content\`.

## Responses

\`\`\`sh
curl -s ${baseUrl}/v1/responses \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" -H "content-type: application/json" \\
  -d '{"model":"openai/gpt-5.2","input":"Why is the sky blue?"}'
\`\`\`

## Streams, tools, errors

- \`"stream": true\` gives server-sent events in the format of the endpoint. Lines that begin with \`:\` keep the line open.
- Tools and images go in the format of the endpoint, whatever the provider.
- Errors come in the error format of the endpoint. On 429 and 503 wait for \`retry-after\` seconds; other 4xx mean the same
  request would fail again. \`x-request-id\` names the request in the gateway's log.
- \`x-gateway-model\` and \`x-gateway-provider\` say who answered; \`x-gateway-dropped\` names what a translation left out.
`,
}
