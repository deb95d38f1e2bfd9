import type { JsonObject } from '../../../src/core/json.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'
import { CAPABLE, merged, PNG, WEATHER, whole } from './sample.ts'

export const chat = whole(openaiChat, {
  vendor: 'openrouter',
  opaque: {
    vendor: 'openrouter',
    kind: 'encrypted',
    blob: JSON.stringify([{ type: 'reasoning.encrypted', data: 'c2VjcmV0', index: 0 }]),
  },
  // One text, one refusal, one thought, then the calls: their order among each other is lost, and so is a host's own state.
  carried: (reply) => ({
    ...reply,
    parts: [
      ...merged(reply, 'reasoning', (text) => ({ type: 'reasoning', text, redacted: false })),
      ...merged(reply, 'text', (text) => ({ type: 'text', text })),
      ...merged(reply, 'refusal', (text) => ({ type: 'refusal', text })),
      ...reply.parts.filter((part) => part.type === 'tool-call'),
    ],
  }),
  capabilities: CAPABLE,
  toolName: /^[A-Za-z0-9_-]{1,64}$/,
  // Cached tokens are inside the input, thoughts inside the output.
  counted: {
    usage: {
      prompt_tokens: 97,
      prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 17 },
      completion_tokens: 40,
      completion_tokens_details: { reasoning_tokens: 25 },
      total_tokens: 137,
    },
  },
  bodies: [
    { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    },
    {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: 'low',
      tools: [{ type: 'function', function: { name: 'weather', description: 'd', parameters: WEATHER } }],
      tool_choice: 'auto',
      messages: [
        { role: 'system', content: 'A' },
        { role: 'developer', content: [{ type: 'text', text: 'B' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'warm' },
        { role: 'user', content: 'so?' },
      ],
    },
  ],
  continued: (answer) => ({
    model: 'm',
    reasoning_effort: 'low',
    messages: [{ role: 'user', content: 'q' }, firstMessage(answer), { role: 'user', content: 'go on' }],
  }),
})

function firstMessage(answer: JsonObject): JsonObject {
  const [choice] = answer['choices'] as readonly { readonly message: JsonObject }[]
  return choice?.message ?? {}
}
