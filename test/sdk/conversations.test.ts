/** Every official library × every dialect of a provider: what is said arrives, and what comes back is what the provider said. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ClientDialectId } from '../../src/catalog/dialect-id.ts'
import { PNG, type UpstreamSample } from '../dialects/samples/sample.ts'
import { UPSTREAMS } from '../dialects/samples/index.ts'
import { Bench, type Connection, NOWHERE, START_MS_MAX } from './bench.ts'
import { LIBRARIES } from './libraries/index.ts'
import type { Library, Said } from './libraries/library.ts'
import { CALLS, calls, INPUT_TOKENS, OUTPUT_TOKENS, say, STATE, text, THOUGHT } from './vendors.ts'

let bench: Bench
const connections = new Map<string, Connection>()

beforeAll(async () => {
  bench = await Bench.open()
  for (const vendor of UPSTREAMS) connections.set(vendor.id, await bench.connect(vendor))
}, START_MS_MAX)

afterAll(() => bench?.[Symbol.asyncDispose]())

interface Cell {
  readonly library: Library
  readonly connection: Connection
  readonly streams: boolean
}

interface Behaviour {
  readonly name: string
  readonly check: (cell: Cell) => Promise<void>
  /** Why it cannot be seen through a library. */
  readonly unseen?: (library: Library) => string | undefined
}

const WORDS = 'Où est-ce? 你好 \u{1f600} "quoted" \\ back'
const RESULTS = ['warm in Rome', 'noon in Oslo'] as const

/** Formats in whose conversations thinking says whose it is, so that bare words, too, go back to the vendor whose they are. */
const SIGNED: ReadonlySet<ClientDialectId> = new Set(['anthropic-messages', 'openai-responses', 'gemini'])

const BEHAVIOURS: readonly Behaviour[] = [
  { name: 'a text arrives, with its figures', check: checkText },
  { name: 'an image goes in', check: checkImage },
  { name: 'two calls at once, their results, and a last word', check: (cell) => checkTools(cell, false) },
  {
    name: 'thinking is shown, and comes back as its vendor gave it',
    check: (cell) => checkTools(cell, true),
    unseen: ({ lacks }) => lacks.thinking,
  },
  { name: 'the answer is an object under a schema', check: checkPlace },
  { name: 'the library’s own loop runs the tools', check: checkLoop, unseen: ({ lacks }) => lacks.loop },
]

for (const libraryOf of LIBRARIES) {
  const { name } = libraryOf(NOWHERE)
  for (const vendor of UPSTREAMS) {
    describe(`${name} → ${vendor.id}`, () => {
      for (const { name: behaviour, check, unseen } of BEHAVIOURS) {
        if (unseen?.(libraryOf(NOWHERE)) !== undefined) continue
        for (const streams of [true, false])
          test(`${behaviour}, ${streams ? 'streamed' : 'plain'}`, () => {
            const connection = connections.get(vendor.id)
            if (connection === undefined) throw new Error(`${vendor.id} is not played`)
            return check({ library: libraryOf(bench.site(connection.model)), connection, streams })
          })
      }
    })
  }
}

async function checkText({ library, connection, streams }: Cell): Promise<void> {
  connection.played.play(say(connection, text(WORDS), streams))
  const { said } = await library.ask([library.user('Where is it?')], { stream: streams })
  expect(said).toEqual({ ...figures(), text: WORDS, thinking: '', calls: [] })
}

async function checkImage({ library, connection, streams }: Cell): Promise<void> {
  const { played } = connection
  played.play(say(connection, text('A dot.'), streams))
  const { said } = await library.ask([library.user('What is it?', PNG)], { stream: streams })
  expect(said.text).toBe('A dot.')
  expect(played.requests.at(-1)?.text()).toContain(PNG)
}

async function checkTools({ library, connection, streams }: Cell, thinks: boolean): Promise<void> {
  const { played, vendor } = connection
  played.play(say(connection, calls(vendor, thinks), streams))
  const wish = { stream: streams, tools: true, thinking: thinks }
  const question = library.user('How is Rome, and what time is it in Oslo?')
  const { said, history } = await library.ask([question], wish)
  expect(unnumbered(said)).toEqual({ ...figures(), text: '', thinking: thinks ? THOUGHT : '', calls: wanted() })
  played.play(say(connection, text('Warm, and noon.'), streams))
  const last = await library.ask([question, ...history, ...library.results(said.calls, RESULTS)], wish)
  expect(last.said.text).toBe('Warm, and noon.')
  const words = SIGNED.has(library.dialect) ? THOUGHT : undefined
  expectReplay(connection, thinks ? (stateOf(library, vendor) ?? words) : undefined)
}

async function checkPlace({ library, connection, streams }: Cell): Promise<void> {
  connection.played.play(say(connection, text('{"city":"Rome"}'), streams))
  expect(await library.place('Where?', streams)).toEqual({ city: 'Rome' })
  expect(connection.played.requests.at(-1)?.text()).toMatch(/city\\?":/)
}

async function checkLoop({ library, connection, streams }: Cell): Promise<void> {
  const { played, vendor } = connection
  played.play(say(connection, calls(vendor, true), streams), say(connection, text('Warm, and noon.'), streams))
  const ran: object[] = []
  const run = (name: string, input: unknown): string => {
    ran.push({ name, input })
    return RESULTS[name === 'weather' ? 0 : 1]
  }
  const word = await library.loop?.('How is Rome, and what time is it in Oslo?', run, streams)
  expect(word).toBe('Warm, and noon.')
  expect(ran).toEqual(wanted())
  // Between clients and hosts of Chat bytes pass as they are, and what a library leaves out stays out.
  const passes = library.dialect === 'openai-chat' && vendor.id === 'openai-chat'
  expectReplay(connection, passes ? undefined : stateOf(library, vendor))
}

function figures() {
  return { inputTokens: INPUT_TOKENS, outputTokens: OUTPUT_TOKENS }
}

function wanted() {
  return CALLS.map(({ name, input }) => ({ name, input }))
}

function unnumbered(said: Said) {
  return { ...said, calls: said.calls.map(({ name, input }) => ({ name, input })) }
}

/** What stands for a vendor's thinking in the next turn; undefined for vendors that give nothing of the kind. */
function stateOf({ refersToItems }: Library, { id, upstream }: UpstreamSample): string | undefined {
  if (refersToItems === true && id === 'openai-responses') return '{"type":"item_reference","id":"rs_'
  return id === 'openai-chat' ? STATE : upstream.opaque?.blob
}

/** In what the provider was sent last: both calls with its ids, each with its result, and its own state unchanged. */
function expectReplay({ played, vendor }: Connection, state: string | undefined): void {
  const sent = played.requests.at(-1)?.text() ?? ''
  for (const [index, { id }] of CALLS.entries()) {
    expect(sent).toContain(RESULTS[index] ?? '')
    if (vendor.id !== 'ollama') expect(sent.split(id)).toHaveLength(3)
  }
  if (state !== undefined) expect(sent).toContain(state)
}
