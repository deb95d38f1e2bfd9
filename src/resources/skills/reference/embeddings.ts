import { authentication, type ReferenceSkill } from './reference-skill.ts'

export const embeddings: ReferenceSkill = {
  slug: 'embeddings',
  title: 'Embeddings',
  description: 'Turn texts into vectors for search and clustering through this gateway.',
  paths: ['/v1/embeddings'],
  body: ({ baseUrl }) => `
${authentication(baseUrl)}

\`\`\`sh
curl -s ${baseUrl}/v1/embeddings \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" -H "content-type: application/json" \\
  -d '{"model":"openai/text-embedding-3-small","input":["first text","second text"]}'
\`\`\`

\`data[i].embedding\` belongs to \`input[i]\`. \`dimensions\` shortens the vectors where the model can; \`"encoding_format":"base64"\`
saves bandwidth. Compare only vectors of one model with one number of dimensions.
`,
}
