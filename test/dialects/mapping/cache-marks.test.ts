/** Where a client wants the prompt cached, in every format: on the part, behind it, or nowhere and listed. */
import { describe, test } from 'bun:test'
import type { TextPart } from '../../../src/dialects/neutral.ts'
import {
  assistant,
  call,
  expectCell,
  HOST_NAMES,
  result,
  sent,
  text,
  TOOL,
  user,
  type Cell,
  type Cells,
  type HostName,
  type Row,
  type Sent,
} from './table.ts'

const CAN = { can: { promptCache: 'explicit' } } as const
const LOST: Cell = { dropped: ['cache_control'] }
const HALF = { prompt_cache_breakpoint: { mode: 'explicit' } }
const TWELVE = { prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }
const SHORT = { cache_control: { type: 'ephemeral' } }
const HOUR = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const POINT = { cachePoint: { type: 'default' } }

function marked(words: string, cache: NonNullable<TextPart['cache']> = {}): TextPart {
  return { type: 'text', text: words, cache }
}

const NOWHERE: Pick<Cells, 'gemini' | 'cohere' | 'ollama'> = { gemini: LOST, cohere: LOST, ollama: LOST }

const ROWS: readonly Row[] = [
  {
    name: 'after a block of the system text',
    request: { system: [marked('S1'), text('S2')] },
    cells: {
      messages: sent({
        system: [
          { type: 'text', text: 'S1', ...SHORT },
          { type: 'text', text: 'S2' },
        ],
      }),
      chat: sent({
        'messages.0': {
          role: 'developer',
          content: [
            { type: 'text', text: 'S1', ...HALF },
            { type: 'text', text: 'S2' },
          ],
        },
      }),
      responses: sent({
        instructions: undefined,
        'input.0': {
          type: 'message',
          role: 'developer',
          content: [
            { type: 'input_text', text: 'S1', ...HALF },
            { type: 'input_text', text: 'S2' },
          ],
        },
      }),
      converse: sent({ system: [{ text: 'S1' }, POINT, { text: 'S2' }] }),
      ...NOWHERE,
    },
  },
  {
    name: 'for an hour, after what the user says',
    request: { messages: [user(marked('a', { ttl: '1h' }))] },
    cells: {
      messages: sent({ 'messages.0.content': [{ type: 'text', text: 'a', ...HOUR }] }),
      chat: sent({ 'messages.0.content': [{ type: 'text', text: 'a', ...HALF }] }),
      responses: sent({ 'input.0.content': [{ type: 'input_text', text: 'a', ...TWELVE }] }),
      converse: sent({ 'messages.0.content': [{ text: 'a' }, { cachePoint: { type: 'default', ttl: '1h' } }] }),
      ...NOWHERE,
    },
  },
  {
    name: 'for half a day, after what the user says',
    request: { messages: [user(marked('a', { ttl: '12h' }))] },
    cells: {
      messages: sent({ 'messages.0.content': [{ type: 'text', text: 'a', ...HOUR }] }),
      chat: sent({ 'messages.0.content': [{ type: 'text', text: 'a', ...TWELVE }] }),
      responses: sent({ 'input.0.content': [{ type: 'input_text', text: 'a', ...TWELVE }] }),
      converse: sent({ 'messages.0.content': [{ text: 'a' }, { cachePoint: { type: 'default', ttl: '1h' } }] }),
      ...NOWHERE,
    },
  },
  {
    name: 'after the result of a tool, wherever in it the mark stands',
    request: {
      tools: [TOOL],
      messages: [
        user(text('q')),
        assistant(call('1'), call('2')),
        user({ ...result('1', text('one')), cache: {} }, result('2', marked('two'))),
      ],
    },
    cells: {
      messages: sent({
        'messages.2.content': [
          { type: 'tool_result', tool_use_id: '1', content: 'one', ...SHORT },
          { type: 'tool_result', tool_use_id: '2', content: 'two', ...SHORT },
        ],
      }),
      chat: sent({
        'messages.2.content': [{ type: 'text', text: 'one', ...HALF }],
        'messages.3.content': [{ type: 'text', text: 'two', ...HALF }],
      }),
      responses: sent({
        'input.3.output': [{ type: 'input_text', text: 'one', ...HALF }],
        'input.4.output': [{ type: 'input_text', text: 'two', ...HALF }],
      }),
      converse: sent({
        'messages.2.content.1': POINT,
        'messages.2.content.3': POINT,
      }),
      ...NOWHERE,
    },
  },
  {
    name: 'after a tool, or after what the model said',
    request: {
      tools: [{ ...TOOL, cache: {} }],
      messages: [user(text('q')), assistant(marked('a')), user(text('r'))],
    },
    cells: {
      messages: sent({
        'tools.0.cache_control': SHORT.cache_control,
        'messages.1.content.0.cache_control': { type: 'ephemeral' },
      }),
      chat: { sent: { 'messages.1.content': 'a' }, ...LOST },
      responses: { sent: { 'input.1.content.0': { type: 'output_text', text: 'a', annotations: [] } }, ...LOST },
      converse: sent({ 'toolConfig.tools.1': POINT, 'messages.1.content.1': POINT }),
      ...NOWHERE,
    },
  },
]

for (const { name, request, cells } of ROWS) {
  describe(name, () => {
    for (const host of HOST_NAMES) test(host, () => expectCell(host, request, cells[host], CAN))
  })
}

describe('hosts that only look like the vendor, and older models of its own, get no mark', () => {
  const request = { system: [marked('S')], messages: [user(marked('a'))] }
  const plain: Partial<Record<HostName, Sent>> = {
    chat: {
      messages: [
        { role: 'developer', content: 'S' },
        { role: 'user', content: 'a' },
      ],
    },
    responses: { instructions: 'S', 'input.0.content': [{ type: 'input_text', text: 'a' }] },
  }
  for (const [host, members] of Object.entries(plain) as [HostName, Sent][]) {
    test(`${host}, an older model`, () =>
      expectCell(host, request, { sent: members, ...LOST }, { can: { promptCache: 'auto' } }))
    test(`${host}, another vendor`, () =>
      expectCell(host, request, { sent: members, ...LOST }, { ...CAN, vendor: 'openrouter' }))
  }
})
