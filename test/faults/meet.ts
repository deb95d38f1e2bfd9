/** Lets a request meet a fault, and holds what becomes of it to what is promised: answer, hits, row, nothing left open or set aside. */
import { expect } from 'bun:test'
import { errorOf, readStream } from '../gateway/clients.ts'
import { expectNothingHeld } from './allotment.ts'
import { eventually } from './eventually.ts'
import { type Failed, type Fault, type Host, type Outcome, outcomeFor } from './fault.ts'
import { APPEARANCES, type Appearance, type TellingKind } from './kinds.ts'
import { type Answer, type Row, SECOND, type Stand } from './stand.ts'
import { type Voice, WHOLE } from './voice.ts'

/** A provider of two accounts: the second one meets the same fault. */
export async function meetAlone(stand: Stand, fault: Fault, voice: Voice): Promise<void> {
  const outcome = outcomeFor(fault, voice)
  const attempts = outcome.ends === 'failed' && appearanceOf(outcome).account ? 2 : 1
  await withHost(fault, voice, async (host) => {
    const place = await stand.place(voice.dialect, host, 2)
    const model = await stand.chain([place], fault.patience)
    const key = await stand.ownKey()
    const answer = await stand.ask(voice, model, question(fault, `alone at ${place.slug}.`), { key })
    expectAnswer(voice, outcome, answer)
    expectHits(host, attempts)
    const row = await expectRow(stand, outcome, answer, Array(attempts).fill(place.slug))
    await expectLeft(host, outcome)
    await expectNothingHeld(stand, key, [row])
    await stand.leave(place)
  })
}

/** Two providers, of which the second is well. */
export async function meetWithAnother(stand: Stand, fault: Fault, voice: Voice): Promise<void> {
  const outcome = outcomeFor(fault, voice)
  const moves = outcome.ends === 'failed' && appearanceOf(outcome).provider
  await withHost(fault, voice, async (host) => {
    const [place, second] = [await stand.place(voice.dialect, host, 1), await stand.second(voice)]
    const words = `first at ${place.slug}.`
    const model = await stand.chain([place, second], fault.patience)
    const key = await stand.ownKey()
    const answer = await stand.ask(voice, model, question(fault, words), { key })
    if (moves) expectWhole(voice, answer, SECOND)
    else expectAnswer(voice, outcome, answer)
    expectHits(host, 1)
    expect({ hitsOfSecond: stand.secondHits(voice, words) }).toEqual({ hitsOfSecond: moves ? 1 : 0 })
    const asked = moves ? [place.slug, second.slug] : [place.slug]
    const row = await expectRow(stand, moves ? { ends: 'answered' } : outcome, answer, asked)
    await expectLeft(host, outcome)
    await expectNothingHeld(stand, key, [row])
    await stand.leave(place)
  })
}

function question({ bytes = 0 }: Fault, words: string): string {
  return words + 'x'.repeat(bytes)
}

async function withHost(fault: Fault, voice: Voice, meet: (host: Host) => Promise<void>): Promise<void> {
  const host = await fault.host(voice)
  try {
    await meet(host)
  } finally {
    host.stop()
  }
}

function appearanceOf({ kind }: Failed): Appearance {
  if (!isTelling(kind)) throw new Error(`${kind} never ends an attempt before its content`)
  return APPEARANCES[kind]
}

function isTelling(kind: string): kind is TellingKind {
  return kind in APPEARANCES
}

export function expectAnswer(voice: Voice, outcome: Outcome, answer: Answer): void {
  if (outcome.ends === 'answered') return expectWhole(voice, answer, WHOLE)
  if (outcome.ends === 'failed') return expectFailed(voice, outcome, answer)
  expect(answer.status).toBe(200)
  const seen = readStream(answer.text)
  expect(seen).toMatchObject({ text: outcome.text, ended: false, error: { type: expect.any(String) } })
  expectDiscreet(seen.error?.message)
}

function expectWhole({ mode, client }: Voice, { status, text }: Answer, words: string): void {
  expect({ status, text: status === 200 ? 'fine' : text }).toEqual({ status: 200, text: 'fine' })
  if (mode === 'streamed') expect(readStream(text)).toMatchObject({ text: words, ended: true, error: undefined })
  else expect(client.textOf(JSON.parse(text))).toBe(words)
}

function expectFailed({ client }: Voice, outcome: Failed, { status, headers, text }: Answer): void {
  const { messages, chat } = appearanceOf(outcome)
  const error = errorOf(JSON.parse(text))
  expect(headers.get('content-type')).toStartWith('application/json')
  if (client.name === 'messages') {
    const [usual, type] = messages
    const expected = { status: outcome.status ?? usual, type: outcome.messagesType ?? type }
    expect({ status, type: error.type }).toEqual(expected)
  } else {
    const [usual, type, code] = chat
    expect({ status, type: error.type, code: error.code }).toEqual({ status: outcome.status ?? usual, type, code })
  }
  const { retryAfterS } = outcome
  if (retryAfterS !== undefined) expectWait(headers.get('retry-after'), retryAfterS)
  expectDiscreet(error.message)
}

/** A second may have passed meanwhile. */
function expectWait(told: string | null, seconds: number): void {
  expect([String(seconds), String(Math.max(1, seconds - 1))]).toContain(String(told))
}

/** Something is said, and nothing of where the program went. */
function expectDiscreet(message: string | undefined): void {
  expect(message).not.toBeEmpty()
  expect(message).not.toMatch(/127\.0\.0\.1|\bat \/|undefined|\[object/)
}

function expectHits(host: Host, attempts: number): void {
  const hits = host.hits()
  if (hits !== undefined) expect({ hits }).toEqual({ hits: attempts })
}

async function expectRow(stand: Stand, outcome: Outcome, answer: Answer, providers: readonly string[]): Promise<Row> {
  const row = await stand.row(answer.id)
  const kind = outcome.ends === 'answered' ? null : outcome.kind
  const status = { answered: 'ok', failed: 'error', cut: 'cut' }[outcome.ends]
  const asked = row.attempts.map(({ provider }) => provider)
  expect({ status: row.status, kind: row.error_class, http: row.http, asked }).toEqual({
    status,
    kind,
    http: answer.status,
    asked: [...providers],
  })
  expect(row.attempts.filter(({ state }) => state === 'open' || state === 'reserved')).toEqual([])
  return row
}

/** A connection on which something went wrong is given up; one whose answer was whole may wait for the next request. */
async function expectLeft(host: Host, outcome: Outcome): Promise<void> {
  const isIdle = outcome.ends === 'answered' || outcome.keeps === true
  if (!isIdle) await eventually(() => host.open() === 0, 'the end of all connections to the provider')
}
