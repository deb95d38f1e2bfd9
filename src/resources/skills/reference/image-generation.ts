import { authentication, type ReferenceSkill } from './reference-skill.ts'

export const imageGeneration: ReferenceSkill = {
  slug: 'image-generation',
  title: 'Image Generation',
  description: 'Make images from text through this gateway.',
  paths: ['/v1/images/generations'],
  body: ({ baseUrl }) => `
${authentication(baseUrl)}

\`\`\`sh
curl -s ${baseUrl}/v1/images/generations \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" -H "content-type: application/json" \\
  -d '{"model":"openai/gpt-image-1","prompt":"a signal box beside a railway, watercolour","size":"1024x1024","n":1}'
\`\`\`

Each element of \`data\` has \`b64_json\` or \`url\`. To save the first image:

\`\`\`sh
… | jq -r '.data[0].b64_json' | base64 -d > image.png
\`\`\`

An address in \`url\` belongs to the provider and runs out within the hour: fetch it at once.
`,
}
