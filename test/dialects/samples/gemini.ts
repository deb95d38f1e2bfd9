import { gemini } from '../../../src/dialects/gemini/index.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { CAPABLE, mapParts, PNG, WEATHER, whole } from './sample.ts'

type ReplyPart = ChatReply['parts'][number]

export const geminiSample = whole(gemini, {
  vendor: 'google',
  opaque: { vendor: 'google', kind: 'signature', blob: 'CpcBAdHtim9zaWduYXR1cmU=' },
  // A refusal is text here, texts that follow one another are one, and what was written to a cache is part of the prompt.
  carried: (reply) => {
    const { parts, usage, ...rest } = mapParts(reply, (part) =>
      part.type === 'refusal' ? { type: 'text', text: part.text } : part,
    )
    const { cacheWrite5m, cacheWrite1h } = usage
    const inputUncached = usage.inputUncached + cacheWrite5m + cacheWrite1h
    return { ...rest, parts: joinedTexts(parts), usage: { ...usage, inputUncached, cacheWrite5m: 0, cacheWrite1h: 0 } }
  },
  endsWithItsBytes: true,
  pathSaysStream: true,
  capabilities: CAPABLE,
  toolName: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
  // Cached tokens are inside the prompt, thoughts beside the candidates.
  counted: {
    usageMetadata: {
      promptTokenCount: 97,
      cachedContentTokenCount: 30,
      candidatesTokenCount: 15,
      thoughtsTokenCount: 25,
      totalTokenCount: 137,
    },
  },
  bodies: [
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    { systemInstruction: { parts: [{ text: 'Be brief.' }] }, contents: [{ parts: [{ text: 'Hi' }] }] },
    { system_instruction: { role: 'user', parts: [{ text: 'Be brief.' }] }, contents: [{ parts: [{ text: 'Hi' }] }] },
    {
      systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] },
      generationConfig: { maxOutputTokens: 100, thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } },
      tools: [{ functionDeclarations: [{ name: 'weather', description: 'd', parametersJsonSchema: WEATHER }] }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      contents: [
        { role: 'user', parts: [{ text: 'What is it?' }, { inlineData: { mimeType: 'image/png', data: PNG } }] },
        {
          role: 'model',
          parts: [{ functionCall: { id: 'call_1', name: 'weather', args: { city: 'Rome' } } }],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'call_1', name: 'weather', response: { output: 'warm' } } },
            { text: 'so?' },
          ],
        },
      ],
    },
  ],
  continued: (answer) => ({
    contents: [
      { role: 'user', parts: [{ text: 'q' }] },
      ...(answer['candidates'] as readonly { readonly content: never }[]).map(({ content }) => content),
      { role: 'user', parts: [{ text: 'go on' }] },
    ],
  }),
})

function joinedTexts(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  const joined: ReplyPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}
