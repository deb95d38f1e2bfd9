import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import { CAPABLE, mapParts, PNG, WEATHER, whole } from './sample.ts'

/** Cached tokens are beside the input. https://platform.claude.com/docs/en/build-with-claude/prompt-caching (read 2026-11-21) */
const COUNTED = {
  input_tokens: 50,
  cache_read_input_tokens: 30,
  cache_creation_input_tokens: 17,
  cache_creation: { ephemeral_5m_input_tokens: 17, ephemeral_1h_input_tokens: 0 },
  output_tokens: 40,
  output_tokens_details: { thinking_tokens: 25 },
}

export const messages = whole(anthropicMessages, {
  vendor: 'anthropic',
  opaque: { vendor: 'anthropic', kind: 'signature', blob: 'EqQBCgIYAhIkc2lnbmF0dXJl' },
  // A refusal is text here, and thinking always has a signature.
  carried: (reply) => mapParts(reply, (part) => (part.type === 'refusal' ? { type: 'text', text: part.text } : part)),
  capabilities: { ...CAPABLE, thinking: 'adaptive' },
  toolName: /^[A-Za-z0-9_-]{1,128}$/,
  counted: { usage: COUNTED },
  countedInStream: { type: 'message_delta', usage: COUNTED },
  bodies: [
    { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
    {
      model: 'm',
      max_tokens: 100,
      system: 'Be brief.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    },
    {
      model: 'm',
      max_tokens: 100,
      stream: true,
      system: [
        { type: 'text', text: 'A', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'B' },
      ],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
      tools: [{ name: 'weather', description: 'd', input_schema: WEATHER }],
      tool_choice: { type: 'auto' },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'warm' },
            { type: 'text', text: 'so?' },
          ],
        },
      ],
    },
  ],
  continued: (answer) => ({
    model: 'm',
    max_tokens: 100,
    thinking: { type: 'adaptive' },
    messages: [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: answer['content'] },
      { role: 'user', content: 'go on' },
    ],
  }),
})
