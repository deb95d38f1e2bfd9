/** Streams that break while they are read, where the rules ask to go on: what the client hears, and how often anybody is asked for it. */
import { expect } from 'bun:test'
import { CHAT, MESSAGES, readStream } from '../gateway/clients.ts'
import { ANTHROPIC } from '../gateway/upstreams.ts'
import { json, type Step, stream } from '../support/plays.ts'
import { sseFrame } from '../support/provider-bodies.ts'
import type { Play } from '../support/provider.ts'
import { expectNothingHeld } from './allotment.ts'
import { cutBy, type Cut } from './fault.ts'
import { type History, withProvider } from './history.ts'
import { expectAnswer } from './meet.ts'
import type { Stand } from './stand.ts'
import type { Voice } from './voice.ts'

/** Messages alone takes up an answer that has begun; clients may speak something else. */
const VOICES: readonly Voice[] = [MESSAGES, CHAT].map((client) => ({
  client,
  speaker: ANTHROPIC,
  dialect: 'anthropic_messages',
  mode: 'streamed',
}))
const IDLE_MS = 500
const RULES = { stream: { on_cut: 'continue' } } as const

interface Broken {
  readonly name: string
  readonly plays: readonly Play[]
  /** All that is heard, or how it is cut off after all. */
  readonly outcome: string | Cut
  readonly hits: number
}

const DOWN = json({ type: 'error', error: { type: 'api_error', message: 'no' } }, 500)
const OVERLOADED = sseFrame('error', { type: 'error', error: { type: 'overloaded_error', message: 'no' } })
const [START = ''] = ANTHROPIC.stream([])

const whole = (text: string): Play => stream(ANTHROPIC.stream([text]))
/** The text, and something else than its end. */
const breaks = (text: string, how: Step): Play => stream([...ANTHROPIC.stream([text]).slice(0, 4), how])

function block(content: object, delta: object): Play {
  const begin = { type: 'content_block_start', index: 0, content_block: content }
  const first = { type: 'content_block_delta', index: 0, delta }
  return stream([START, sseFrame(begin.type, begin), sseFrame(first.type, first), 'cut'])
}
const inCall = block(
  { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
  { type: 'input_json_delta', partial_json: '{"at' },
)
const inThinking = block({ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: 'hm' })

const BROKEN: readonly Broken[] = [
  ...(['cut', 'reset', 'silence', OVERLOADED] as const).map((how) => ({
    name: `gone on with after ${how === OVERLOADED ? 'an overload' : how}`,
    plays: [breaks('One', how), whole(' two.')],
    outcome: 'One two.',
    hits: 2,
  })),
  {
    name: 'gone on with twice',
    plays: [breaks('One', 'reset'), breaks(' two', 'cut'), whole(' three.')],
    outcome: 'One two three.',
    hits: 3,
  },
  {
    name: 'given up when it breaks a third time',
    plays: [breaks('One', 'reset'), breaks(' two', 'cut'), breaks(' three', 'reset'), whole(' four.')],
    outcome: cutBy('cut', 'One two three'),
    hits: 3,
  },
  {
    name: 'given up when nobody goes on with it',
    plays: [breaks('One', 'cut'), DOWN, DOWN, whole(' two.')],
    outcome: cutBy('cut', 'One'),
    hits: 3,
  },
  {
    name: 'never gone on with inside a call',
    plays: [inCall, whole('?')],
    outcome: cutBy('cut', ''),
    hits: 1,
  },
  {
    name: 'never gone on with inside of thinking',
    plays: [inThinking, whole('?')],
    outcome: cutBy('cut', ''),
    hits: 1,
  },
]

export const CONTINUING: readonly History[] = BROKEN.map((broken) => ({
  name: `an answer is ${broken.name}`,
  voices: VOICES,
  run: (stand, voice) => run(stand, voice, broken),
}))

async function run(stand: Stand, voice: Voice, { plays, outcome, hits }: Broken): Promise<void> {
  await withProvider(async (played) => {
    played.play(...plays)
    const place = await stand.place(voice.dialect, played, 1, { prefill: true, thinking: 'budget' })
    const model = await stand.chainOf({ steps: [{ model: place.model, timeouts: { idle_ms: IDLE_MS } }], ...RULES })
    const key = await stand.ownKey()
    const answer = await stand.ask(voice, model, 'count', { key })
    if (typeof outcome === 'string') expectHeard(answer.text, outcome)
    else expectAnswer(voice, outcome, answer)
    expect(played.requests).toHaveLength(hits)
    const row = await stand.row(answer.id)
    const ends =
      typeof outcome === 'string' ? { status: 'ok', error_class: null } : { status: 'cut', error_class: outcome.kind }
    expect(row).toMatchObject({ ...ends, http: 200 })
    expect(row.attempts.map(({ provider }) => provider)).toEqual(Array(hits).fill(place.slug))
    await expectNothingHeld(stand, key, [row])
  })
}

function expectHeard(answer: string, text: string): void {
  expect(readStream(answer)).toMatchObject({ text, ended: true, error: undefined })
}
