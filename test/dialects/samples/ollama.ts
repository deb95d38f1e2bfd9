import { inputTokens } from '../../../src/core/usage.ts'
import { ollama } from '../../../src/dialects/ollama/index.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { argumentsObject } from '../../../src/dialects/tools/call-arguments.ts'
import { CAPABLE, merged, PNG, WEATHER, whole } from './sample.ts'

export const ollamaSample = whole(ollama, {
  vendor: 'ollama',
  // One thinking, one text, then the calls, whose arguments are objects; two reasons to stop, and two figures.
  carried: ({ parts, finish, usage, ...rest }) => {
    const reply: ChatReply = { parts, finish, usage, ...rest }
    const calls = parts.filter((part) => part.type === 'tool-call')
    const isCut = finish.reason === 'length' || finish.reason === 'context'
    const { output } = usage
    return {
      ...rest,
      parts: [
        ...merged(reply, 'reasoning', (text) => ({ type: 'reasoning', text, redacted: false })),
        ...textOf(reply),
        ...calls.map((call) => ({
          ...call,
          kind: 'function' as const,
          argumentsText: JSON.stringify(argumentsObject(call)),
        })),
      ],
      finish: { reason: isCut ? 'length' : calls.length > 0 ? 'tool-calls' : 'stop' },
      usage: {
        ...usage,
        inputUncached: inputTokens(usage),
        cacheRead: 0,
        cacheWrite5m: 0,
        cacheWrite1h: 0,
        output,
        reasoning: 0,
      },
    }
  },
  citesLinks: false,
  carriesState: false,
  capabilities: { ...CAPABLE, efforts: ['none', 'low', 'medium', 'high'] },
  toolName: /^[A-Za-z0-9_-]{1,64}$/,
  media: ['image'],
  counted: { prompt_eval_count: 97, eval_count: 40 },
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
      think: 'low',
      options: { num_predict: 100, seed: 1 },
      tools: [{ type: 'function', function: { name: 'weather', description: 'd', parameters: WEATHER } }],
      messages: [
        { role: 'system', content: 'A' },
        { role: 'system', content: 'B' },
        { role: 'user', content: 'What is it?', images: [PNG] },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ function: { name: 'weather', arguments: { city: 'Rome' } } }],
        },
        { role: 'tool', tool_name: 'weather', content: 'warm' },
        { role: 'user', content: 'so?' },
      ],
    },
  ],
  continued: (answer) => ({
    model: 'm',
    think: true,
    messages: [{ role: 'user', content: 'q' }, answer['message'] ?? {}, { role: 'user', content: 'go on' }],
  }),
})

/** A refusal is text here. */
function textOf({ parts }: ChatReply): ChatReply['parts'] {
  const text = parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('')
  return text === '' ? [] : [{ type: 'text', text }]
}
