import { authentication, type ReferenceSkill } from './reference-skill.ts'

export const speechToText: ReferenceSkill = {
  slug: 'speech-to-text',
  title: 'Speech-to-Text',
  description: 'Transcribe recorded speech through this gateway.',
  paths: ['/v1/audio/transcriptions'],
  body: ({ baseUrl }) => `
${authentication(baseUrl)}

\`\`\`sh
curl -s ${baseUrl}/v1/audio/transcriptions \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" \\
  -F file=@recording.mp3 -F model=openai/whisper-1 -F response_format=json
\`\`\`

\`response_format\` is one of \`json\`, \`text\`, \`srt\`, \`verbose_json\`, \`vtt\`; \`language\` (as in \`en\`) helps when it is known. Files
up to 25 MB: split a longer recording.
`,
}
