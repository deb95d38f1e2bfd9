import type { JsonObject } from '../../../src/core/json.ts'
import { openaiResponses } from '../../../src/dialects/openai-responses/index.ts'
import { CAPABLE, PNG, WEATHER, whole } from './sample.ts'

/** Cached tokens are inside the input, thoughts inside the output. */
const COUNTED: JsonObject = {
  input_tokens: 97,
  input_tokens_details: { cached_tokens: 30, cache_write_tokens: 17 },
  output_tokens: 40,
  output_tokens_details: { reasoning_tokens: 25 },
  total_tokens: 137,
}

export const responses = whole(openaiResponses, {
  vendor: 'openai',
  opaque: { vendor: 'openai', kind: 'encrypted', blob: 'gAAAAABencrypted' },
  carried: (reply) => reply,
  capabilities: CAPABLE,
  toolName: /^[A-Za-z0-9_-]{1,64}$/,
  counted: { usage: COUNTED },
  countedInStream: { type: 'response.completed', response: { usage: COUNTED } },
  bodies: [
    { model: 'm', input: 'Hi' },
    { model: 'm', instructions: 'Be brief.', input: [{ role: 'user', content: 'Hi' }] },
    {
      model: 'm',
      input: [
        { role: 'developer', content: 'D' },
        { role: 'user', content: 'Hi' },
      ],
    },
    {
      model: 'm',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
      instructions: 'A\n\nB',
      tools: [{ type: 'function', name: 'weather', description: 'd', parameters: WEATHER, strict: false }],
      tool_choice: 'auto',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is it?' },
            { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` },
          ],
        },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'warm' },
        { role: 'user', content: 'so?' },
      ],
    },
  ],
  continued: (answer) => ({
    model: 'm',
    reasoning: { summary: 'auto' },
    input: [{ role: 'user', content: 'q' }, ...(answer['output'] as JsonObject[]), { role: 'user', content: 'go on' }],
  }),
})
