import { authentication, type ReferenceSkill } from './reference-skill.ts'

export const textToSpeech: ReferenceSkill = {
  slug: 'text-to-speech',
  title: 'Text-to-Speech',
  description: 'Turn text into spoken audio through this gateway.',
  paths: ['/v1/audio/speech'],
  body: ({ baseUrl }) => `
${authentication(baseUrl)}

\`\`\`sh
curl -s ${baseUrl}/v1/audio/speech \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" -H "content-type: application/json" \\
  -d '{"model":"openai/gpt-4o-mini-tts","voice":"alloy","input":"The line is clear.","response_format":"mp3"}' \\
  -o speech.mp3
\`\`\`

The answer is the audio itself, streamed as it is made; \`content-type\` names its format. An error is JSON: check the status
before you keep the file.
`,
}
