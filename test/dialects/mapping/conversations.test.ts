/** What stands where in a conversation: system text, turns, and the results of tools behind their calls. */
import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../src/core/json.ts'
import { dialectOf } from '../../../src/dialects/index.ts'
import type { Part } from '../../../src/dialects/neutral.ts'
import { PDF, PNG } from '../samples/sample.ts'
import {
  assistant,
  call,
  expectCell,
  HOST_NAMES,
  HOSTS,
  requestOf,
  result,
  sent,
  text,
  TOOL,
  user,
  type Cells,
  type HostName,
  type Row,
  type Sent,
} from './table.ts'

const R_TEXT = (words: string) => [{ type: 'input_text', text: words }]
const R_USER = (words: string) => ({ type: 'message', role: 'user', content: R_TEXT(words) })
const R_SAID = (words: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: words, annotations: [] }],
})
const REMINDER = '<system-reminder>\nmid\n</system-reminder>'

const ROWS: readonly Row[] = [
  {
    name: 'blocks of system text stay apart or are joined, in order',
    request: { system: [text('S1'), text('S2')] },
    cells: {
      messages: sent({
        system: [
          { type: 'text', text: 'S1' },
          { type: 'text', text: 'S2' },
        ],
      }),
      chat: sent({ 'messages.0': { role: 'developer', content: 'S1\n\nS2' } }),
      responses: sent({ instructions: 'S1\n\nS2' }),
      gemini: sent({ systemInstruction: { parts: [{ text: 'S1' }, { text: 'S2' }] } }),
      converse: sent({ system: [{ text: 'S1' }, { text: 'S2' }] }),
      cohere: sent({ 'messages.0': { role: 'system', content: 'S1\n\nS2' } }),
      ollama: sent({ 'messages.0': { role: 'system', content: 'S1\n\nS2' } }),
    },
  },
  {
    name: 'system text inside the conversation stays where it stood',
    request: {
      messages: [user(text('a')), assistant(text('b')), { role: 'system', parts: [text('mid')] }, user(text('c'))],
    },
    cells: {
      messages: sent({
        'messages.2': {
          role: 'user',
          content: [
            { type: 'text', text: REMINDER },
            { type: 'text', text: 'c' },
          ],
        },
      }),
      chat: sent({ 'messages.2': { role: 'developer', content: 'mid' } }),
      responses: sent({ 'input.2': { type: 'message', role: 'developer', content: R_TEXT('mid') } }),
      gemini: sent({ 'contents.2': { role: 'user', parts: [{ text: REMINDER }, { text: 'c' }] } }),
      converse: sent({ 'messages.2': { role: 'user', content: [{ text: REMINDER }, { text: 'c' }] } }),
      cohere: sent({ 'messages.2': { role: 'system', content: 'mid' } }),
      ollama: sent({ 'messages.2': { role: 'system', content: 'mid' } }),
    },
  },
  {
    name: 'system text alone still is a question, where there has to be one',
    request: { system: [text('S')], messages: [] },
    cells: {
      messages: sent({ messages: [{ role: 'user', content: '.' }] }),
      chat: sent({ messages: [{ role: 'developer', content: 'S' }] }),
      responses: sent({ input: [R_USER('.')] }),
      gemini: sent({ contents: [{ role: 'user', parts: [{ text: '.' }] }] }),
      converse: sent({ messages: [{ role: 'user', content: [{ text: '.' }] }] }),
      cohere: sent({
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: '.' },
        ],
      }),
      ollama: sent({ messages: [{ role: 'system', content: 'S' }] }),
    },
  },
  {
    name: 'empty text goes nowhere, and what is left of nothing is a question',
    request: { messages: [user(text(''))] },
    cells: {
      messages: sent({ messages: [{ role: 'user', content: '.' }] }),
      chat: sent({ messages: [{ role: 'user', content: '.' }] }),
      responses: sent({ input: [R_USER('.')] }),
      gemini: sent({ contents: [{ role: 'user', parts: [{ text: '.' }] }] }),
      converse: sent({ messages: [{ role: 'user', content: [{ text: '.' }] }] }),
      cohere: sent({ messages: [{ role: 'user', content: '.' }] }),
      ollama: sent({ messages: [{ role: 'user', content: '.' }] }),
    },
  },
  {
    name: 'a model that begins is spoken to first, where users have to begin',
    request: { messages: [assistant(text('Hi')), user(text('y'))] },
    cells: {
      messages: sent({ 'messages.0': { role: 'user', content: '.' }, 'messages.1.content': 'Hi' }),
      chat: sent({ 'messages.0': { role: 'assistant', content: 'Hi' } }),
      responses: sent({ 'input.0': R_SAID('Hi') }),
      gemini: sent({ 'contents.0': { role: 'user', parts: [{ text: '.' }] }, 'contents.1.role': 'model' }),
      converse: sent({ 'messages.0': { role: 'user', content: [{ text: '.' }] }, 'messages.1.role': 'assistant' }),
      cohere: sent({ 'messages.0': { role: 'assistant', content: 'Hi' } }),
      ollama: sent({ 'messages.0': { role: 'assistant', content: 'Hi' } }),
    },
  },
  {
    name: 'neighbours of one role are one turn, where turns have to alternate',
    request: {
      messages: [user(text('a')), user(text('b')), assistant(text('c')), assistant(text('d')), user(text('e'))],
    },
    cells: {
      messages: sent({
        'messages.0.content': [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        'messages.2.content': 'e',
      }),
      chat: sent({ 'messages.1': { role: 'user', content: 'b' }, 'messages.4.content': 'e' }),
      responses: sent({ 'input.1': R_USER('b'), 'input.4': R_USER('e') }),
      gemini: sent({ 'contents.0.parts': [{ text: 'a' }, { text: 'b' }], 'contents.2.parts': [{ text: 'e' }] }),
      converse: sent({ 'messages.0.content': [{ text: 'a' }, { text: 'b' }], 'messages.2.content': [{ text: 'e' }] }),
      cohere: sent({ 'messages.1': { role: 'user', content: 'b' }, 'messages.4.content': 'e' }),
      ollama: sent({ 'messages.1': { role: 'user', content: 'b' }, 'messages.4.content': 'e' }),
    },
  },
]

for (const { name, request, cells } of ROWS) {
  describe(name, () => {
    for (const host of HOST_NAMES) test(host, () => expectCell(host, request, cells[host]))
  })
}

/** The results of the turn behind calls "1" and "2", as each format has them, and what follows them there. */
type Results = Readonly<Record<HostName, readonly Json[]>>

/** Where results begin in a conversation of a question and two calls. */
const RESULTS: Readonly<Record<HostName, string>> = {
  messages: 'messages.2.content',
  chat: 'messages',
  responses: 'input',
  gemini: 'contents.2.parts',
  converse: 'messages.2.content',
  cohere: 'messages',
  ollama: 'messages',
}

function answered(callId: string, words: string): Results {
  return {
    messages: [{ type: 'tool_result', tool_use_id: callId, content: words }],
    chat: [{ role: 'tool', tool_call_id: callId, content: words }],
    responses: [{ type: 'function_call_output', call_id: callId, output: words }],
    gemini: [{ functionResponse: { id: callId, name: 'f', response: { output: words } } }],
    converse: [{ toolResult: { toolUseId: callId, content: [{ text: words }] } }],
    cohere: [{ role: 'tool', tool_call_id: callId, content: words }],
    ollama: [{ role: 'tool', tool_name: 'f', tool_call_id: callId, content: words }],
  }
}

function failed(callId: string, words: string): Results {
  return {
    messages: [{ type: 'tool_result', tool_use_id: callId, content: words, is_error: true }],
    chat: [{ role: 'tool', tool_call_id: callId, content: `[error] ${words}` }],
    responses: [{ type: 'function_call_output', call_id: callId, output: `[error] ${words}` }],
    gemini: [{ functionResponse: { id: callId, name: 'f', response: { error: words } } }],
    converse: [{ toolResult: { toolUseId: callId, content: [{ text: words }], status: 'error' } }],
    cohere: [{ role: 'tool', tool_call_id: callId, content: `[error] ${words}` }],
    ollama: [{ role: 'tool', tool_name: 'f', tool_call_id: callId, content: `[error] ${words}` }],
  }
}

function spoken(words: string): Results {
  return {
    messages: [{ type: 'text', text: words }],
    chat: [{ role: 'user', content: words }],
    responses: [R_USER(words)],
    gemini: [{ text: words }],
    converse: [{ text: words }],
    cohere: [{ role: 'user', content: words }],
    ollama: [{ role: 'user', content: words }],
  }
}

const NO_OUTPUT: Results = {
  ...answered('1', '(no output)'),
  messages: [{ type: 'tool_result', tool_use_id: '1' }],
  responses: [{ type: 'function_call_output', call_id: '1', output: '' }],
  gemini: [{ functionResponse: { id: '1', name: 'f', response: { output: '' } } }],
}

/** Of formats whose results are words alone: what is seen stands in the user's turn behind all of them. */
const SEEN: Results = {
  messages: [
    {
      type: 'tool_result',
      tool_use_id: '1',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ],
    },
  ],
  chat: [
    { role: 'tool', tool_call_id: '1', content: 'see\n\n(image attached)' },
    { role: 'tool', tool_call_id: '2', content: '(no output)' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] },
  ],
  responses: [
    {
      type: 'function_call_output',
      call_id: '1',
      output: [
        { type: 'input_text', text: 'see' },
        { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` },
      ],
    },
  ],
  gemini: [
    {
      functionResponse: {
        id: '1',
        name: 'f',
        response: { output: 'see' },
        parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
      },
    },
  ],
  converse: [
    {
      toolResult: { toolUseId: '1', content: [{ text: 'see' }, { image: { format: 'png', source: { bytes: PNG } } }] },
    },
  ],
  cohere: [
    { role: 'tool', tool_call_id: '1', content: 'see' },
    { role: 'tool', tool_call_id: '2', content: '(no output)' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] },
  ],
  ollama: [{ role: 'tool', tool_name: 'f', tool_call_id: '1', content: 'see', images: [PNG] }],
}

const image = { type: 'image', source: { kind: 'base64', mime: 'image/png', data: PNG } } as const

const OUTCOMES: readonly (readonly [name: string, given: readonly Part[], ...results: readonly Results[]])[] = [
  [
    'results come in the order of their calls, and before what the user says',
    [text('so?'), result('2', text('two')), result('1', text('one'))],
    answered('1', 'one'),
    answered('2', 'two'),
    spoken('so?'),
  ],
  [
    'of two results for one call the last counts',
    [result('1', text('old')), result('2', text('two')), result('1', text('new'))],
    answered('1', 'new'),
    answered('2', 'two'),
  ],
  [
    'a call that nobody answered has failed',
    [result('2', text('two'))],
    failed('1', '(no result)'),
    answered('2', 'two'),
  ],
  [
    'that a tool failed is said in its field or in words',
    [{ ...result('1', text('bad')), isError: true }, result('2', text('two'))],
    failed('1', 'bad'),
    answered('2', 'two'),
  ],
  [
    'a result without words is one all the same',
    [result('1'), result('2', text('two'))],
    NO_OUTPUT,
    answered('2', 'two'),
  ],
  ['what a tool shows is seen', [result('1', text('see'), image), result('2')], SEEN],
]

for (const [name, given, ...results] of OUTCOMES) {
  describe(name, () => {
    for (const host of HOST_NAMES) {
      test(host, () => {
        const messages = [user(text('q')), assistant(call('1'), call('2')), user(...given)]
        const path = RESULTS[host]
        const first = FIRST_RESULT[host]
        const list = Object.fromEntries(
          results.flatMap((one) => one[host]).map((wire, index) => [`${path}.${first + index}`, wire]),
        )
        expectCell(host, { messages, tools: [TOOL] }, { sent: list })
      })
    }
  })
}

/** A question, the model's turn, and in Responses each of its calls come before. */
const FIRST_RESULT: Readonly<Record<HostName, number>> = {
  messages: 0,
  chat: 2,
  responses: 3,
  gemini: 0,
  converse: 0,
  cohere: 2,
  ollama: 2,
}

describe('a result that answers no call is told as words', () => {
  const told: Readonly<Record<HostName, Sent>> = {
    messages: {
      'messages.0.content': [
        { type: 'text', text: '[result of tool call x]' },
        { type: 'text', text: 'late' },
      ],
    },
    chat: { 'messages.0': { role: 'user', content: 'late' } },
    responses: { 'input.0': R_USER('late') },
    gemini: { 'contents.0.parts': [{ text: '[result of tool call x]' }, { text: 'late' }] },
    converse: { 'messages.0.content': [{ text: '[result of tool call x]' }, { text: 'late' }] },
    cohere: { 'messages.0': { role: 'user', content: 'late' } },
    ollama: { 'messages.0': { role: 'user', content: 'late' } },
  }
  for (const host of HOST_NAMES)
    test(host, () => expectCell(host, { messages: [user(result('x', text('late')))], tools: [TOOL] }, sent(told[host])))
})

describe('a file that a tool made goes with its result, or the request is refused', () => {
  const file = `data:application/pdf;base64,${PDF}`
  const cells: Cells = {
    messages: sent({
      'messages.2.content.0.content.0': {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: PDF },
        title: 'd.pdf',
      },
    }),
    chat: sent({
      'messages.2.content': '(document attached)',
      'messages.3.content': [{ type: 'file', file: { filename: 'd.pdf', file_data: file } }],
    }),
    responses: sent({ 'input.2.output': [{ type: 'input_file', filename: 'd.pdf', file_data: file }] }),
    gemini: sent({
      'contents.2.parts.0.functionResponse.parts': [{ inlineData: { mimeType: 'application/pdf', data: PDF } }],
    }),
    converse: sent({
      'messages.2.content.0.toolResult.content': [{ document: { format: 'pdf', name: 'd', source: { bytes: PDF } } }],
    }),
    cohere: { refused: 'messages' },
    ollama: { refused: 'messages' },
  }
  const pdf = {
    type: 'document',
    title: 'd.pdf',
    source: { kind: 'base64', mime: 'application/pdf', data: PDF },
  } as const
  const messages = [user(text('q')), assistant(call('1')), user(result('1', pdf))]
  for (const host of HOST_NAMES) test(host, () => expectCell(host, { messages, tools: [TOOL] }, cells[host]))
})

/** Where a call's arguments stand behind a question. */
const ARGUMENTS: Readonly<Record<HostName, string>> = {
  messages: 'messages.1.content.0.input',
  chat: 'messages.1.tool_calls.0.function.arguments',
  responses: 'input.1.arguments',
  gemini: 'contents.1.parts.0.functionCall.args',
  converse: 'messages.1.content.0.toolUse.input',
  cohere: 'messages.1.tool_calls.0.function.arguments',
  ollama: 'messages.1.tool_calls.0.function.arguments',
}
const AS_TEXT: ReadonlySet<HostName> = new Set(['chat', 'responses', 'cohere'])

const SPELLINGS: readonly (readonly [argumentsText: string, asText: string, asObject: object])[] = [
  ['', '{}', {}],
  ['null', '{}', {}],
  ['{"a":1}', '{"a":1}', { a: 1 }],
  ['[1]', '[1]', { input: [1] }],
  ['"x"', '"x"', { input: 'x' }],
  ['{"a":', '{"a":', { _raw: '{"a":' }],
]

for (const [argumentsText, asText, asObject] of SPELLINGS) {
  describe(`arguments ${argumentsText || 'that are nothing'} go back as text or as an object`, () => {
    const messages = [user(text('q')), assistant(call('1', argumentsText)), user(result('1', text('r')))]
    for (const host of HOST_NAMES) {
      const wire = AS_TEXT.has(host) ? asText : asObject
      test(host, () => expectCell(host, { messages, tools: [TOOL] }, sent({ [ARGUMENTS[host]]: wire })))
    }
  })
}

describe('numbers of more digits than a number can hold keep them all', () => {
  const argumentsText = '{"id":12345678901234567890,"exact":1234567890123456,"list":[-0.12345678901234567890]}'
  const messages = [user(text('q')), assistant(call('1', argumentsText)), user(result('1', text('r')))]
  for (const host of HOST_NAMES) {
    test(host, () => {
      const { dialect, model, vendor, capabilities } = HOSTS[host]
      const target = { model, vendor, capabilities, quirks: {} }
      const encoded = dialectOf(dialect).encodeRequest(requestOf({ messages, tools: [TOOL] }), target)
      const body = JSON.stringify(encoded.ok ? encoded.value.body : encoded.error)
      expect(body.replaceAll('\\"', '"')).toContain(argumentsText)
    })
  }
})
