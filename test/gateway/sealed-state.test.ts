/**
 * Thinking that other vendors gave, back in a request of the provider's own format: what is sealed for this vendor is unwrapped, what
 * is sealed for another goes, and every other byte stays as the client wrote it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { sealOpaque } from '../../src/dialects/opaque.ts'
import { makeApp, type TestApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker } from './upstreams.ts'

let bench: TestApp
let skilled: TestApp
beforeAll(async () => {
  bench = await makeApp()
  skilled = await makeApp({ skills: ['Rhyme.'] })
})
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
  await skilled[Symbol.asyncDispose]()
})

interface Passed {
  readonly text: string
  readonly dropped: string | null
}

/** What the provider of `speaker` got for this body of its own client. */
async function check(speaker: Speaker, body: string, app: TestApp = bench): Promise<Passed> {
  const { played } = app.upstream(speaker.provider)
  played.play(json(speaker.reply('hi')))
  const answer = await app.ask(speaker.client.path, { body })
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return { text: played.requests.at(-1)?.text() ?? '', dropped: answer.headers.get('x-gateway-dropped') }
}

/** A piece of a conversation as the client wrote it, and as the provider is to get it; undefined when it is to go. */
interface Piece {
  readonly written: string
  readonly expected: string | undefined
}

const same = (written: string): Piece => ({ written, expected: written })
const BLOB = 'RXU0QmVyRQ==/+\\"'
const sealed = (vendor: string, kind: 'signature' | 'redacted' | 'encrypted', blob = BLOB): string =>
  JSON.stringify(sealOpaque({ vendor, kind, blob }))
const OPEN = JSON.stringify(BLOB)

const THINKING: readonly Piece[] = [
  same(`{"type":"thinking","thinking":"a","signature":${OPEN}}`),
  same('{ "type" : "redacted_thinking" , "data" : "RW1" }'),
  {
    written: `{"type":"thinking","x_new":1.0,"thinking":"b","signature": ${sealed('anthropic', 'signature')} }`,
    expected: `{"type":"thinking","x_new":1.0,"thinking":"b","signature": ${OPEN} }`,
  },
  {
    written: `{"data":${sealed('anthropic', 'redacted')},"type":"redacted_thinking"}`,
    expected: `{"data":${OPEN},"type":"redacted_thinking"}`,
  },
  { written: `{"type":"thinking","thinking":"c","signature":${sealed('openai', 'encrypted')}}`, expected: undefined },
  { written: `{"type":"redacted_thinking","data":${sealed('google', 'signature')}}`, expected: undefined },
  {
    written: `{"type":"thinking","thinking":"d","signature":${sealed('anthropic', 'signature', '')}}`,
    expected: undefined,
  },
]
const BLOCKS: readonly Piece[] = [
  same('{"type":"text","text":"Höllo 🚦 \\u00e9","x_new":12345678901234567890}'),
  same('{"type":"tool_use","id":"toolu_1","name":"f","input":{"10":1,"9":1.0,"a":1,"a":2}}'),
  same(`{"type":"text","text":${JSON.stringify(`he said "gw1:abc" and ${sealed('openai', 'encrypted')}`)}}`),
  same(`{"type":"tool_use","id":"toolu_2","name":"f","input":{"signature":${sealed('openai', 'encrypted')}}}`),
  same('{"type":"x_new","price":1e400}'),
]
const ITEMS: readonly Piece[] = [
  same('{"role":"user","content":"Höllo","x_new":1.0}'),
  same(`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":${OPEN}}`),
  same('{"type":"x_new","n":12345678901234567890}'),
  same(`{"role":"user","content":${sealed('anthropic', 'signature')}}`),
  {
    written: `{"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":${sealed('openai', 'encrypted')}, "x":1.0}`,
    expected: `{"type":"reasoning","summary":[],"encrypted_content":${OPEN}, "x":1.0}`,
  },
]
const GONE_ITEM: Piece = {
  written: `{"type":"reasoning","id":"rs_3","summary":[{"type":"summary_text","text":"c"}],"encrypted_content":${sealed('anthropic', 'signature')}}`,
  expected: undefined,
}

const SPACE = fc.constantFrom('', ' ', '\n  ', '\t', '\r\n')

/** The pieces joined by commas among spaces, as written; and what the list holds once it has been edited. */
function listOf(pieces: readonly Piece[], space: string): string {
  return `[${space}${pieces.map(({ written }) => written).join(`${space},${space}`)}${space}]`
}

function keptOf(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap(({ expected }) => (expected === undefined ? [] : [expected]))
}

/** The bytes of the elements of a list, told without our own scanner: each is known beforehand. */
function expectElements(text: string, kept: readonly string[]): void {
  let rest = text
  for (const [index, element] of kept.entries()) {
    const separator = index === 0 ? /^\s*/ : /^\s*,\s*/
    rest = rest.replace(separator, '')
    expect(rest.startsWith(element)).toBe(true)
    rest = rest.slice(element.length)
  }
  expect(rest.trim()).toBe('')
}

const between = (text: string, before: string, after: string): string => {
  expect(text.startsWith(before)).toBe(true)
  expect(text.endsWith(after)).toBe(true)
  return text.slice(before.length, text.length - after.length)
}

describe('a Messages conversation', () => {
  const head = '{"max_tokens":64,"temperature":1.0,"x_new":{"1":0,"0":1}, "model" : '
  const before = ',"messages":[{"role":"user","content":"Hi"},{"x":1.0,"role":"assistant","content":'
  const after = '},{"role":"user","content":"And?"}],"x_last":null}'
  const bodyWith = (model: string, list: string): string => head + JSON.stringify(model) + before + list + after

  test('keeps every byte but those of sealed thinking', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...THINKING, ...BLOCKS), { maxLength: 8 }),
        SPACE,
        async (pieces, space) => {
          const blocks = [...pieces, same('{"type":"text","text":"end"}')]
          const { text, dropped } = await check(ANTHROPIC, bodyWith(ANTHROPIC.model, listOf(blocks, space)))
          const list = between(text, `${head}"claude-haiku-4-5"${before}`, after)
          expectElements(between(list, '[', ']'), keptOf(blocks))
          expect(dropped).toBe(pieces.some(({ expected }) => expected === undefined) ? 'thinking' : null)
        },
      ),
      { numRuns: 80 },
    ))

  test('loses a turn of which nothing is left', async () => {
    const gone = THINKING.filter(({ expected }) => expected === undefined)
    const { text } = await check(ANTHROPIC, bodyWith(ANTHROPIC.model, listOf(gone, ' ')))
    expect(text).toBe(
      `${head}"claude-haiku-4-5","messages":[{"role":"user","content":"Hi"},{"role":"user","content":"And?"}],"x_last":null}`,
    )
  })

  test('keeps an envelope that only looks like one, and what stands in a user’s turn', async () => {
    const odd = [
      '{"type":"text","text":"gw1:"}',
      '{"type":"thinking","thinking":"x","signature":"gw1:not base64 of anything"}',
    ]
    const body = bodyWith(ANTHROPIC.model, `[${odd.join(',')}]`)
    expect((await check(ANTHROPIC, body)).text).toBe(body.replace(ANTHROPIC.model, 'claude-haiku-4-5'))
  })
})

describe('a Responses conversation', () => {
  const head = '{"temperature":1.0,"x_new":{"1":0,"0":1},"model":'
  const before = ',"input":'
  const after = ',"x_last":null}'

  test('keeps every byte but those of sealed reasoning', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...ITEMS), { maxLength: 6 }), SPACE, async (pieces, space) => {
        const items = [...pieces, same('{"role":"user","content":"end"}')]
        const body = `${head}"openai/gpt-4o-mini"${before}${listOf(items, space)}${after}`
        const { text, dropped } = await check(OPENAI_RESPONSES, body)
        const list = between(text, `${head}"gpt-4o-mini"${before}`, after)
        expectElements(between(list, '[', ']'), keptOf(items))
        expect(dropped).toBeNull()
      }),
      { numRuns: 60 },
    ))

  test('knows what followed reasoning that goes by no id any more', async () => {
    const call = '{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{}"}'
    const output = '{"type":"function_call_output","id":"fco_1","call_id":"call_1","output":"1.0"}'
    const list = `[{"role":"user","content":"Hi"},${GONE_ITEM.written},${call},${output}]`
    const { text, dropped } = await check(OPENAI_RESPONSES, `${head}"openai/gpt-4o-mini"${before}${list}${after}`)
    expect(text).toBe(
      `${head}"gpt-4o-mini"${before}[{"role":"user","content":"Hi"},${call.replace('"id":"fc_1",', '')},${output}]${after}`,
    )
    expect(dropped).toBe('thinking')
  })

  test('has its skills even where they stand beside reasoning that goes', async () => {
    const list = `[{"role":"developer","content":"Be brief."},${GONE_ITEM.written},{"role":"user","content":"Hi"}]`
    const { text } = await check(OPENAI_RESPONSES, `${head}"openai/gpt-4o-mini"${before}${list}${after}`, skilled)
    expect(JSON.parse(text)).toMatchObject({ model: 'gpt-4o-mini' })
    expect(text).toContain('Rhyme.')
    expect(text).not.toContain('rs_3')
  })
})

describe('a Chat conversation', () => {
  const head = '{"temperature":1.0,"x_new":{"1":0,"0":1},"model":'
  const OWN = [{ type: 'reasoning.encrypted', data: 'RW5j', id: 'rs_1', index: 0 }]
  const HOSTS = '{"type":"reasoning.text","text":"mine","signature":"RXU0","x":1.0}'
  const FOREIGN = `{"type":"reasoning.text","text":"t","signature":${sealed('anthropic', 'signature')},"index":0}`
  const SEALED = `{"type":"reasoning.encrypted","data":${sealed('openai', 'encrypted', JSON.stringify(OWN))},"index":1}`
  const conversation = (model: string, message: string): string =>
    `${head}"${model}","messages":[{"role":"user","content":"Hi"}, ${message} ,{"role":"user","content":"And?"}],"x":1.0}`

  test.each<[string, string, string, boolean]>([
    [
      'a host wrote stays as it is',
      `{"role":"assistant","content":"a","reasoning_details":[${HOSTS}]}`,
      `{"role":"assistant","content":"a","reasoning_details":[${HOSTS}]}`,
      false,
    ],
    [
      'another vendor thought goes, its words with it',
      `{"role":"assistant","reasoning_content":"t", "content":"a" ,"reasoning":"t","reasoning_details":[ ${FOREIGN} ]}`,
      '{"role":"assistant", "content":"a"}',
      true,
    ],
    [
      'another vendor thought goes from beside what a host wrote',
      `{"role":"assistant","content":"a","reasoning_details":[${FOREIGN}, ${HOSTS}],"x":1.0}`,
      `{"role":"assistant","content":"a","reasoning_details":[${HOSTS}],"x":1.0}`,
      true,
    ],
    [
      'was sealed for this vendor is unwrapped',
      `{"role":"assistant","content":"a","reasoning_details":[${SEALED}],"x":1.0}`,
      `{"role":"assistant","content":"a","reasoning_details":${JSON.stringify(OWN)},"x":1.0}`,
      false,
    ],
    ['text says of envelopes stays', `{"role":"assistant","content":${sealed('anthropic', 'signature')}}`, '', false],
  ])('loses nothing else: what %s', async (_, written, expected, isLess) => {
    const { text, dropped } = await check(OPENAI_CHAT, conversation(OPENAI_CHAT.model, written))
    expect(text).toBe(conversation('gpt-4o-mini', expected === '' ? written : expected))
    expect(dropped).toBe(isLess ? 'thinking' : null)
  })
})
