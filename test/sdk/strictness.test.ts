/**
 * What official libraries take for granted and do not always say when it is missing: they lose a block, an input or the end of an
 * answer without a word. So the bytes themselves are looked at, of an answer with all that there is, for every format of a client
 * and of a provider.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ClientDialectId } from '../../src/catalog/dialect-id.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { ChatReply } from '../../src/dialects/neutral.ts'
import { UPSTREAMS } from '../dialects/samples/index.ts'
import { MOUTHS } from '../matrix/mouths.ts'
import { Bench, type Connection, START_MS_MAX } from './bench.ts'
import { calls, CALLS, say, text, THOUGHT } from './vendors.ts'

let bench: Bench
const connections = new Map<string, Connection>()
beforeAll(async () => {
  bench = await Bench.open()
  for (const vendor of UPSTREAMS) connections.set(vendor.id, await bench.connect(vendor))
}, START_MS_MAX)
afterAll(() => bench?.[Symbol.asyncDispose]())

/** An event or a line as it travels: its name, where it has one, and what it says. */
interface Sent {
  readonly name: string | undefined
  readonly data: string
}

// The rules say what they expect; a wrong shape fails there.
type Said = any // oxlint-disable-line typescript/no-explicit-any

interface Rule {
  readonly name: string
  readonly check: (sent: readonly Sent[], said: readonly Said[]) => void
}

const MESSAGES: readonly Rule[] = [
  {
    name: 'every event is named by its type, or libraries hear nothing',
    check: (sent, said) => expect(sent.map(({ name }) => name)).toEqual(said.map(({ type }) => type)),
  },
  {
    name: 'blocks are numbered without a gap, fed by deltas of their kind and closed, or they are lost',
    check: (_, said) => {
      const blocks = said.filter(({ type }) => type === 'content_block_start')
      expect(blocks.map(({ index }) => index)).toEqual(blocks.map((_, index) => index))
      for (const { index, content_block } of blocks) {
        const own = said.filter((event) => event.index === index)
        expect(own.at(-1)).toMatchObject({ type: 'content_block_stop' })
        for (const { delta } of own.slice(1, -1)) expect(FED_BY[content_block.type]).toContain(delta.type)
      }
    },
  },
  {
    name: 'the input of a call is whole JSON, or it is taken for empty',
    check: (_, said) => {
      const inputs = said
        .filter(({ content_block }) => content_block?.type === 'tool_use')
        .map(({ index }) => {
          const deltas = said.filter((event) => event.index === index && event.delta !== undefined)
          return JSON.parse(deltas.map(({ delta }) => delta.partial_json).join('') || '{}')
        })
      expect(inputs).toEqual(CALLS.map(({ input }) => input))
    },
  },
  {
    name: 'usage is in the first event and in the one before the last, or libraries break',
    check: (_, said) => {
      expect(said[0]).toMatchObject({ type: 'message_start', message: { usage: { input_tokens: expect.any(Number) } } })
      expect(said.at(-2)).toMatchObject({ type: 'message_delta', usage: { output_tokens: expect.any(Number) } })
      expect(said.at(-2).delta.stop_reason).toBe('tool_use')
    },
  },
  {
    name: 'it begins once and ends once',
    check: (_, said) => {
      expect(said.filter(({ type }) => type === 'message_start')).toHaveLength(1)
      expect(said.findIndex(({ type }) => type === 'message_stop')).toBe(said.length - 1)
    },
  },
]

const FED_BY: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
}

const CHAT: readonly Rule[] = [
  {
    name: 'events have no names and end with [DONE]',
    check: (sent) => {
      expect(sent.every(({ name }) => name === undefined)).toBe(true)
      expect(sent.findIndex(({ data }) => data === '[DONE]')).toBe(sent.length - 1)
    },
  },
  {
    name: 'a role comes first and one reason to stop last, or libraries refuse the answer',
    check: (_, said) => {
      expect(choicesOf(said)[0].delta.role).toBe('assistant')
      const reasons = choicesOf(said).flatMap(({ finish_reason }) => (finish_reason === null ? [] : [finish_reason]))
      expect(reasons).toEqual(['tool_calls'])
    },
  },
  {
    name: 'calls are numbered without a gap, with id, type and name in their first fragment alone',
    check: (_, said) => {
      const fragments = choicesOf(said).flatMap(({ delta }) => delta.tool_calls ?? [])
      const heads = fragments.filter(({ id }) => id !== undefined)
      expect(heads.map(({ index }) => index)).toEqual([0, 1])
      for (const head of heads) expect(head).toMatchObject({ type: 'function', function: { name: expect.any(String) } })
      const inputs = heads.map(({ index }) =>
        JSON.parse(fragments.flatMap((one) => (one.index === index ? [one.function.arguments] : [])).join('')),
      )
      expect(inputs).toEqual(CALLS.map(({ input }) => input))
    },
  },
  {
    name: 'whoever joins the pieces of thinking has all of it',
    check: (_, said) => {
      const pieces = choicesOf(said).map(({ delta }) => delta.reasoning_content ?? '')
      expect(pieces.join('')).toBe(THOUGHT)
    },
  },
  {
    name: 'usage comes once, without a choice',
    check: (_, said) => {
      const told = said.filter(({ usage }) => usage !== undefined && usage !== null)
      expect(told).toMatchObject([{ choices: [], usage: { prompt_tokens: 90, completion_tokens: 30 } }])
    },
  },
]

function choicesOf(said: readonly Said[]): readonly Said[] {
  return said.flatMap(({ choices }) => choices)
}

const RESPONSES: readonly Rule[] = [
  {
    name: 'events are named by their type and counted from 0',
    check: (sent, said) => {
      expect(sent.map(({ name }) => name)).toEqual(said.map(({ type }) => type))
      expect(said.map(({ sequence_number }) => sequence_number)).toEqual(said.map((_, index) => index))
    },
  },
  {
    name: 'it begins as created and ends as completed, or an answer that broke off would be taken for whole',
    check: (_, said) => {
      expect(said[0].type).toBe('response.created')
      expect(said.findIndex(({ type }) => type === 'response.completed')).toBe(said.length - 1)
      expect(new Set(said.flatMap(({ response }) => (response === undefined ? [] : [response.id]))).size).toBe(1)
    },
  },
  {
    name: 'every item keeps its id and its place from first to last, or libraries refuse it',
    check: (_, said) => {
      const added = said.filter(({ type }) => type === 'response.output_item.added')
      const done = said.filter(({ type }) => type === 'response.output_item.done')
      const output: readonly Said[] = said.at(-1).response.output
      const ids = output.map(({ id }) => id)
      expect(added.map(({ item }) => item.id)).toEqual(ids)
      expect(done.map(({ item }) => item.id)).toEqual(ids)
      expect(added.map(({ output_index }) => output_index)).toEqual(ids.map((_, index) => index))
      for (const { item_id, output_index } of said.filter(({ item_id }) => item_id !== undefined))
        expect(item_id).toBe(ids[output_index])
    },
  },
  {
    name: 'the last event has the whole output again, or it is empty for libraries',
    check: (_, said) => {
      const done = said.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
      expect(said.at(-1).response.output).toEqual(done)
      expect(said.at(-1).response.usage).toMatchObject({ input_tokens: 90, output_tokens: 30 })
    },
  },
  {
    name: 'every part is added before it is fed',
    check: (_, said) => {
      const seen = new Set<string>()
      for (const { type, item_id, content_index, summary_index } of said) {
        const part = `${item_id} ${content_index ?? summary_index}`
        if (type.endsWith('part.added')) seen.add(part)
        if (/(output_text|summary_text)\.delta$/.test(type)) expect(seen).toContain(part)
      }
      expect(seen.size).toBeGreaterThan(0)
    },
  },
]

const GEMINI: readonly Rule[] = [
  {
    name: 'events have no names, and nothing but JSON in them',
    check: (sent) => {
      expect(sent.every(({ name }) => name === undefined)).toBe(true)
      for (const { data } of sent) expect(() => JSON.parse(data)).not.toThrow()
    },
  },
  {
    name: 'calls are whole, and the last event has a reason and the figures',
    check: (_, said) => {
      const parts = said.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
      const called = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]))
      expect(called).toMatchObject(CALLS.map(({ name, input }) => ({ name, args: input })))
      expect(said.at(-1)).toMatchObject({
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 90 },
      })
    },
  },
]

const OLLAMA: readonly Rule[] = [
  {
    name: 'only the last line is done, and has the figures',
    check: (_, said) => {
      expect(said.findIndex(({ done }) => done === true)).toBe(said.length - 1)
      expect(said.at(-1)).toMatchObject({ done_reason: 'stop', prompt_eval_count: 90, eval_count: 30 })
    },
  },
  {
    name: 'calls are whole, their arguments objects',
    check: (_, said) => {
      const called = said.flatMap(({ message }) => message.tool_calls ?? [])
      expect(called.map((call) => call.function)).toMatchObject(
        CALLS.map(({ name, input }) => ({ name, arguments: input })),
      )
    },
  },
]

const RULES: Readonly<Partial<Record<ClientDialectId, readonly Rule[]>>> = {
  'anthropic-messages': MESSAGES,
  'openai-chat': CHAT,
  'openai-responses': RESPONSES,
  gemini: GEMINI,
  ollama: OLLAMA,
}

for (const mouth of MOUTHS) {
  for (const vendor of UPSTREAMS) {
    describe(`${mouth.id} → ${vendor.id}`, () => {
      let answered: Promise<readonly Sent[]> | undefined
      const stream = (): Promise<readonly Sent[]> => (answered ??= ask(mouth.id, vendor.id))
      for (const { name, check } of RULES[mouth.id] ?? [])
        test(name, async () => {
          const sent = await stream()
          check(
            sent,
            sent.flatMap(({ data }) => (data === '[DONE]' ? [] : [JSON.parse(data)])),
          )
        })
    })
  }
}

for (const vendor of UPSTREAMS) {
  test(`openai-responses → ${vendor.id}: what fails before a word is a status, for libraries do not throw a failed response`, async () => {
    const connection = await bench.connect(vendor)
    connection.played.otherwise(({ reply }) => reply(500, { 'content-type': 'application/json' }, '{}'))
    const answer = await post('openai-responses', connection, { text: 'Hi' })
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status: 502,
      type: 'application/json',
    })
  })
}

/** A thought, a text between, and two calls. */
async function ask(client: ClientDialectId, vendorId: string): Promise<readonly Sent[]> {
  const connection = connections.get(vendorId)
  if (connection === undefined) throw new Error(`${vendorId} is not played`)
  const [thought, ...called] = calls(connection.vendor, true).parts
  const reply: ChatReply = {
    ...calls(connection.vendor, true),
    parts: [...(thought === undefined ? [] : [thought]), ...text('A moment.').parts, ...called],
  }
  connection.played.play(say(connection, reply, true))
  const answer = await post(client, connection, { text: 'Go on.', tools: true, thinking: true })
  return answer.headers.get('content-type') === 'application/x-ndjson'
    ? linesOf(await answer.text())
    : eventsOf(await answer.text())
}

function post(client: ClientDialectId, { model }: Connection, wish: Parameters<(typeof MOUTHS)[number]['body']>[0]) {
  const mouth = MOUTHS.find(({ id }) => id === client)
  if (mouth === undefined) throw new Error(`nobody says what clients of ${client} send`)
  const body: JsonObject = mouth.body(wish, model, true)
  const headers = { 'content-type': 'application/json', 'x-api-key': bench.secret }
  return fetch(bench.url + mouth.path(model, true), { method: 'POST', headers, body: JSON.stringify(body) })
}

function linesOf(body: string): readonly Sent[] {
  expect(body).toEndWith('\n')
  return body.split('\n').flatMap((data) => (data === '' ? [] : [{ name: undefined, data }]))
}

/** The last event, too, ends with a blank line: some libraries take what follows none for a broken one. */
function eventsOf(body: string): readonly Sent[] {
  const blocks = body.replaceAll('\r\n', '\n').split('\n\n')
  expect(blocks.pop()).toBe('')
  return blocks.filter((block) => !block.startsWith(':')).map(eventOf)
}

function eventOf(block: string): Sent {
  const lines = block.split('\n')
  const data = lines.flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
  expect(data).toHaveLength(1)
  return { name: lines.find((line) => line.startsWith('event: '))?.slice('event: '.length), data: data[0] ?? '' }
}
