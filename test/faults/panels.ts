/** Ensembles of which some fail: who answers then, who is asked for a verdict, and what clients who leave leave behind. */
import { expect } from 'bun:test'
import { readStream } from '../gateway/clients.ts'
import { json, reset, silence, stream } from '../support/plays.ts'
import type { Play, Provider } from '../support/provider.ts'
import { expectNothingHeld } from './allotment.ts'
import { type Cut, cutBy, failed, type Failed, type Patience } from './fault.ts'
import { type History, withProviders } from './history.ts'
import { expectAnswer } from './meet.ts'
import type { Answer, Key, Stand } from './stand.ts'
import { begin, type Voice, VOICES } from './voice.ts'

const MEMBERS = ['one', 'two', 'judge'] as const
/** They are asked for plain answers, of which the whole time counts. */
const HASTY: Patience = { total_ms: 500 }

type Says = (voice: Voice) => Play

interface Session {
  readonly name: string
  readonly modes?: readonly Voice['mode'][]
  readonly mode?: 'pick' | 'merge'
  readonly plays: readonly [one: Says, two: Says, judge: Says]
  /** What is said, or how it fails. */
  readonly outcome: string | Failed | Cut
  /** How often each of them is asked. */
  readonly hits: readonly [one: number, two: number, judge: number]
}

const says =
  (text: string): Says =>
  ({ speaker }) =>
    json(speaker.reply(text))
const down: Says = () => json({ type: 'error', error: { type: 'api_error', code: 'server_error', message: 'no' } }, 500)
const resets: Says = () => reset
const silent: Says = () => silence

const SESSIONS: readonly Session[] = [
  {
    name: 'one refuses, so the other answers without a judge',
    plays: [down, says('two'), says('2')],
    outcome: 'two',
    hits: [1, 1, 0],
  },
  {
    name: 'one breaks off, so the other answers without a judge',
    plays: [says('one'), resets, says('2')],
    outcome: 'one',
    hits: [1, 1, 0],
  },
  {
    name: 'one says nothing, so the other answers without a judge',
    plays: [silent, says('two'), says('1')],
    outcome: 'two',
    hits: [1, 1, 0],
  },
  { name: 'all refuse', plays: [down, down, says('1')], outcome: failed('server'), hits: [1, 1, 0] },
  { name: 'all break off', plays: [resets, resets, says('1')], outcome: failed('server'), hits: [1, 1, 0] },
  { name: 'all say nothing', plays: [silent, silent, says('1')], outcome: failed('timeout'), hits: [1, 1, 0] },
  {
    name: 'the judge refuses, so the first answer counts',
    plays: [says('one'), says('two'), down],
    outcome: 'one',
    hits: [1, 1, 1],
  },
  {
    name: 'the judge breaks off, so the first answer counts',
    mode: 'merge',
    plays: [says('one'), says('two'), resets],
    outcome: 'one',
    hits: [1, 1, 1],
  },
  {
    name: 'the judge says nothing, so the first answer counts',
    plays: [says('one'), says('two'), silent],
    outcome: 'one',
    hits: [1, 1, 1],
  },
  {
    name: 'the judge breaks off what it merges after the client has begun to read',
    modes: ['streamed'],
    mode: 'merge',
    plays: [says('one'), says('two'), (voice) => stream([...begin(voice), 'reset'])],
    outcome: cutBy('cut'),
    hits: [1, 1, 1],
  },
]

export const PANELS: readonly History[] = [
  ...SESSIONS.map((session) => ({
    name: `of a panel ${session.name}`,
    voices: VOICES.filter(({ mode }) => session.modes?.includes(mode) !== false),
    run: (stand: Stand, voice: Voice) => meet(stand, voice, session),
  })),
  { name: 'a client that leaves while a panel is asked ends all of it', run: leave },
]

async function meet(stand: Stand, voice: Voice, session: Session): Promise<void> {
  await withProviders(MEMBERS.length, async (members) => {
    for (const [at, member] of members.entries()) member.otherwise((session.plays[at] ?? silent)(voice))
    const [model, key] = [await convene(stand, voice, members, session), await stand.ownKey()]
    const answer = await stand.ask(voice, model, 'what do you say?', { key })
    expectSaid(voice, session.outcome, answer)
    expect(members.map(({ requests }) => requests.length)).toEqual([...session.hits])
    await expectOver(stand, key, answer, session)
  })
}

/** Only for who says nothing is not waited long. */
async function convene(
  stand: Stand,
  voice: Voice,
  members: readonly Provider[],
  { mode = 'pick', plays }: Partial<Session>,
): Promise<string> {
  const steps: object[] = []
  for (const [at, member] of members.entries()) {
    const { model } = await stand.place(voice.dialect, member, 1)
    steps.push({ id: MEMBERS[at], model, timeouts: plays?.[at] === silent ? HASTY : null })
  }
  return stand.chainOf({ strategy: 'ensemble', steps, ensemble: { panel: ['one', 'two'], judge: 'judge', mode } })
}

function expectSaid(voice: Voice, outcome: Session['outcome'], answer: Answer): void {
  if (typeof outcome !== 'string') return expectAnswer(voice, outcome, answer)
  expect(answer.status).toBe(200)
  if (voice.mode === 'plain') expect(voice.client.textOf(JSON.parse(answer.text))).toBe(outcome)
  else expect(readStream(answer.text)).toMatchObject({ text: outcome, ended: true, error: undefined })
}

async function expectOver(stand: Stand, key: Key, answer: Answer, { outcome, hits }: Session): Promise<void> {
  const row = await stand.row(answer.id)
  const ends = typeof outcome === 'string' ? { status: 'ok', error_class: null } : endOf(outcome)
  expect(row).toMatchObject({ ...ends, http: answer.status })
  expect(row.attempts).toHaveLength(hits.reduce((sum, one) => sum + one, 0))
  await expectNothingHeld(stand, key, [row])
}

function endOf({ ends, kind }: Failed | Cut) {
  return { status: ends === 'cut' ? 'cut' : 'error', error_class: kind }
}

/** It has no answer yet, so it knows its request by its key alone. */
async function leave(stand: Stand, voice: Voice): Promise<void> {
  await withProviders(MEMBERS.length, async (members) => {
    for (const member of members) member.otherwise(silence)
    const [model, key] = [await convene(stand, voice, members, {}), await stand.ownKey()]
    const leaving = new AbortController()
    const answer = stand.ask(voice, model, 'what do you say?', { key, signal: leaving.signal })
    const panel = await Promise.all(members.slice(0, -1).map((member) => member.request(0)))
    leaving.abort()
    await expect(answer).rejects.toThrow()
    await Promise.all(panel.map(({ hungUp }) => hungUp))
    const row = await stand.rowOf(key)
    expect(row).toMatchObject({ status: 'cancelled', error_class: 'cancelled', http: 499 })
    expect(row.attempts.map(({ class: kind, state }) => [kind, state])).toEqual([CANCELLED, CANCELLED])
    expect(members.map(({ requests }) => requests.length)).toEqual([1, 1, 0])
    await expectNothingHeld(stand, key, [row])
  })
}
const CANCELLED = ['cancelled', 'estimated']
