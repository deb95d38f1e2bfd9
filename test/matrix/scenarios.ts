/** What happens in a cell of the matrix: what the client wishes, and what the provider makes of it. */
import { NO_USAGE } from '../../src/core/usage.ts'
import type { ChatReply, Finish } from '../../src/dialects/neutral.ts'
import type { Wish } from './mouths.ts'

export interface Scenario {
  readonly name: string
  readonly wish: Wish
  readonly says: ChatReply
  /** Where the provider fails instead of saying all of it. */
  readonly fails?: 'before' | 'inside' | 'cut'
}

type Parts = ChatReply['parts']

const USAGE = { ...NO_USAGE, inputUncached: 70, output: 30 }
const ROME = {
  type: 'tool-call',
  id: 'call_rome0001',
  name: 'weather',
  kind: 'function',
  argumentsText: '{"city":"Rome"}',
} as const
const OSLO = { ...ROME, id: 'call_oslo0002', argumentsText: '{"city":"Oslo"}' } as const
const NOW = { ...ROME, id: 'call_now00003', name: 'clock', argumentsText: '{}' } as const

/** Escapes, characters of two, three and four bytes, and what looks like an event's end. */
const LONG = 'Où est-ce? 你好 \u{1f600} "quoted" \\ back\n\ndata: [DONE]\n\n'.repeat(1_500)
const STORY: Parts = ['Once ', 'upon ', 'a ', 'time ', 'there ', 'was '].map((text) => ({ type: 'text', text }))

function says(parts: Parts, reason: Finish['reason'] = 'stop', more: Partial<Finish> = {}): ChatReply {
  return { parts, finish: { reason, ...more }, usage: USAGE }
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'text', wish: { text: 'Hi' }, says: says([{ type: 'text', text: 'Hello, you.' }]) },
  { name: 'one tool', wish: { text: 'Weather?', tools: true }, says: says([ROME], 'tool-calls') },
  { name: 'parallel tools', wish: { text: 'Weather?', tools: true }, says: says([ROME, OSLO, NOW], 'tool-calls') },
  { name: 'a tool without arguments', wish: { text: 'Time?', tools: true }, says: says([NOW], 'tool-calls') },
  {
    name: 'thinking, then a tool',
    wish: { text: 'Weather?', tools: true, thinking: true },
    says: says([{ type: 'reasoning', text: 'Rome it is.', redacted: false }, ROME], 'tool-calls'),
  },
  { name: 'a long text', wish: { text: 'Tell me.' }, says: says([{ type: 'text', text: LONG }]) },
  { name: 'an image in', wish: { text: 'What?', image: true }, says: says([{ type: 'text', text: 'A dot.' }]) },
  { name: 'a document in', wish: { text: 'What?', document: true }, says: says([{ type: 'text', text: 'Nothing.' }]) },
  {
    name: 'structured output',
    wish: { text: 'Where?', schema: true },
    says: says([{ type: 'text', text: '{"city":"Rome"}' }]),
  },
  { name: 'a refusal', wish: { text: 'How?' }, says: says([{ type: 'text', text: 'I can not.' }], 'refusal') },
  { name: 'a stop by length', wish: { text: 'Hi' }, says: says([{ type: 'text', text: 'Hello, y' }], 'length') },
  {
    name: 'a stop sequence',
    wish: { text: 'Hi', stop: 'END' },
    says: says([{ type: 'text', text: 'Hello' }], 'stop-sequence', { stopSequence: 'END' }),
  },
  { name: 'an error before', wish: { text: 'Hi' }, says: says(STORY), fails: 'before' },
  { name: 'an error inside', wish: { text: 'Hi' }, says: says(STORY), fails: 'inside' },
  { name: 'a cut inside', wish: { text: 'Hi' }, says: says(STORY), fails: 'cut' },
]
