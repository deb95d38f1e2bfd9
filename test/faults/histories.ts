/** What shows only over several requests: connections that went stale, providers that come and go, circuits that open and close. */
import { expect } from 'bun:test'
import { json } from '../support/plays.ts'
import type { Play } from '../support/provider.ts'
import { eventually } from './eventually.ts'
import { expectAnswer } from './meet.ts'
import { ANSWERED, failed } from './fault.ts'
import { type History, withProvider } from './history.ts'
import { type Answer, SECOND, type Stand } from './stand.ts'
import { answerBody, answerType, type Voice, WHOLE } from './voice.ts'

const ASKED = 20
const BURST = 6
/** By default: failures after which a circuit opens. */
const CIRCUIT_ERRORS = 5

const BROKEN = json({ type: 'error', error: { type: 'api_error', code: 'server_error', message: 'no' } }, 500)
const answers =
  (voice: Voice): Play =>
  (stage) =>
    stage.reply(200, { 'content-type': answerType(voice) }, answerBody(voice))

export const HISTORIES: readonly History[] = [
  { name: 'a kept connection that is closed under the next request is no failure', run: staleConnection },
  { name: 'a provider that fails every other time costs nobody an answer', run: flapping },
  {
    name: 'a provider that is down is left alone, tried by one request alone, and used again when that is answered',
    run: circuit,
  },
]

/** Without a byte of an answer, so soon and on a connection that was idle, the request was not accepted: it is sent again. */
async function staleConnection(stand: Stand, voice: Voice): Promise<void> {
  await withProvider(async (played) => {
    const seen = new Set<number>()
    played.otherwise((stage) => {
      const { connection } = stage.request
      if (seen.has(connection)) return stage.cut()
      seen.add(connection)
      return answers(voice)(stage)
    })
    const { model } = await stand.place(voice.dialect, played, 1)
    for (const hits of [1, 3]) {
      const answer = await stand.ask(voice, model, 'again')
      expectAnswer(voice, ANSWERED, answer)
      expect(played.requests).toHaveLength(hits)
      expect((await stand.row(answer.id)).attempts).toHaveLength(1)
    }
  })
}

async function flapping(stand: Stand, voice: Voice): Promise<void> {
  await withProvider(async (played) => {
    let hits = 0
    played.otherwise((stage) => (hits++ % 2 === 0 ? BROKEN : answers(voice))(stage))
    const places = [await stand.place(voice.dialect, played, 1), await stand.second(voice)]
    const model = await stand.chain(places, undefined)
    const words = `${places[0]?.slug} flaps.`
    let attempts = 0
    for (let nth = 0; nth < ASKED; nth++) {
      const answer = await stand.ask(voice, model, words)
      const said = answer.text.includes(SECOND) || saysWhole(answer)
      expect({ status: answer.status, said }).toEqual({ status: 200, said: true })
      attempts += (await stand.row(answer.id)).attempts.length
    }
    expect(played.requests.length).toBeLessThanOrEqual(ASKED)
    expect(played.requests.length + stand.secondHits(voice, words)).toBe(attempts)
  })
}

/** In pieces, where it is a stream. */
function saysWhole({ text }: Answer): boolean {
  return text.includes(WHOLE) || (text.includes('"Hi "') && text.includes('"there."'))
}

async function circuit(stand: Stand, voice: Voice): Promise<void> {
  await withProvider(async (played) => {
    played.otherwise(BROKEN)
    const { model, slug } = await stand.place(voice.dialect, played, 1)
    for (let nth = 0; nth < CIRCUIT_ERRORS; nth++)
      expectAnswer(voice, failed('server'), await stand.ask(voice, model, 'anyone there?'))
    await expectLeftAlone(await stand.ask(voice, model, 'and now?'))
    expect(played.requests).toHaveLength(CIRCUIT_ERRORS)
    const gate = Promise.withResolvers<void>()
    played.otherwise(async (stage) => {
      await gate.promise
      await answers(voice)(stage)
    })
    await eventually(async () => (await circuitOf(stand, slug)) === 'half_open', 'the end of the wait')
    const asked = Array.from({ length: BURST }, () => stand.ask(voice, model, 'all at once'))
    await played.request(CIRCUIT_ERRORS)
    const first = await Promise.race(asked)
    await expectLeftAlone(first)
    gate.resolve()
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort((some, other) => some - other)
    expect(statuses).toEqual([200, ...Array(BURST - 1).fill(503)])
    expect(played.requests).toHaveLength(CIRCUIT_ERRORS + 1)
    expectAnswer(voice, ANSWERED, await stand.ask(voice, model, 'well again'))
  })
}

async function circuitOf(stand: Stand, slug: string): Promise<string> {
  return (await stand.operator.read<{ health: { circuit: string } }>(`/v1/providers/${slug}`)).health.circuit
}

async function expectLeftAlone({ status, headers }: Answer): Promise<void> {
  expect(status).toBe(503)
  expect(Number(headers.get('retry-after'))).toBeWithin(1, 61)
}
