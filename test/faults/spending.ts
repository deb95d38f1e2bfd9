/** Faults of requests that may cost no more than so much, and of requests that are named: what is asked again, and what is not. */
import { expect } from 'bun:test'
import { errorOf } from '../gateway/clients.ts'
import { after, json, reset, stream } from '../support/plays.ts'
import type { Play, Provider } from '../support/provider.ts'
import { expectNothingHeld, PRICE } from './allotment.ts'
import { ANSWERED, cutBy, failed, type Outcome } from './fault.ts'
import { type History, withProvider } from './history.ts'
import { expectAnswer } from './meet.ts'
import { type Answer, type Key, SECOND, type Stand } from './stand.ts'
import { answerBody, answerType, begin, type Voice, VOICES } from './voice.ts'

/** What each question asks for, and what that may cost apart from the question. */
const OUTPUT_TOKENS = 100
const ONE_USD = (OUTPUT_TOKENS * PRICE.output) / 1e6
/** Enough for one, but not for two. */
const BUDGET_USD = 1.5 * ONE_USD
const ASKED = { more: { max_tokens: OUTPUT_TOKENS } } as const

const refused: Play = json({ type: 'error', error: { type: 'api_error', code: 'server_error', message: 'no' } }, 500)
const answers =
  (voice: Voice): Play =>
  (stage) =>
    stage.reply(200, { 'content-type': answerType(voice) }, answerBody(voice))

export const SPENDING: readonly History[] = [
  { name: 'a budget that an attempt may have used up lets nobody else be asked', run: usedUp },
  { name: 'a budget of which an attempt used nothing lets another provider be asked', run: unused },
  {
    name: 'a named request is refused while it runs, asked again once it has failed, and told again once it is answered',
    run: (stand, voice) => named(stand, voice, refused, failed('server')),
  },
  {
    name: 'a named request that was reset is asked again',
    run: (stand, voice) => named(stand, voice, reset, failed('server')),
  },
  {
    name: 'a named request that was cut is asked again',
    voices: VOICES.filter(({ mode }) => mode === 'streamed'),
    run: (stand, voice) => named(stand, voice, stream([...begin(voice), 'reset']), cutBy('cut')),
  },
]

interface Poor {
  readonly played: Provider
  readonly places: readonly string[]
  readonly model: string
  readonly key: Key
  readonly budgetId: string
  readonly words: string
}

/** A key that may spend so little, and two providers for it, of which the second is well. */
async function withBudget(stand: Stand, voice: Voice, run: (poor: Poor) => Promise<void>): Promise<void> {
  await withProvider(async (played) => {
    const places = [await stand.place(voice.dialect, played, 1), await stand.second(voice)]
    const [model, key] = [await stand.chain(places, undefined), await stand.ownKey()]
    const rules = { scope: 'key', scope_id: key.id, period: 'total', action: 'block', amount_usd: BUDGET_USD }
    const budget = await stand.operator.create('/v1/budgets', { name: key.id, ...rules })
    const words = `little is left at ${places[0]?.slug}.`
    await run({ played, places: places.map(({ slug }) => slug), model, key, budgetId: budget.id, words })
  })
}

async function usedUp(stand: Stand, voice: Voice): Promise<void> {
  await withBudget(stand, voice, async (poor) => {
    const { played, places, model, key, words } = poor
    played.otherwise(reset)
    const answer = await stand.ask(voice, model, words, { key, ...ASKED })
    expectAnswer(voice, failed('server'), answer)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    const next = await stand.ask(voice, model, words, { key, ...ASKED })
    expect(next.status).toBe(429)
    expect(errorOf(JSON.parse(next.text)).type).toBe('rate_limit_error')
    expect([played.requests.length, stand.secondHits(voice, words)]).toEqual([1, 0])
    await expectSpent(stand, poor, [answer, next], [{ error_class: 'server', asked: places.slice(0, 1) }, OVER])
  })
}
const OVER = { error_class: 'over_budget', asked: [] } as const

async function unused(stand: Stand, voice: Voice): Promise<void> {
  await withBudget(stand, voice, async (poor) => {
    const { played, places, model, key, words } = poor
    played.otherwise(refused)
    const answer = await stand.ask(voice, model, words, { key, ...ASKED })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain(SECOND)
    expect([played.requests.length, stand.secondHits(voice, words)]).toEqual([1, 1])
    await expectSpent(stand, poor, [answer], [{ error_class: null, asked: places }])
  })
}

interface Ended {
  readonly error_class: string | null
  readonly asked: readonly string[]
}

async function expectSpent(
  stand: Stand,
  { key, budgetId }: Poor,
  answers_: readonly Answer[],
  ends: readonly Ended[],
): Promise<void> {
  const rows = await Promise.all(answers_.map(({ id }) => stand.row(id)))
  const seen = rows.map(({ error_class, attempts }) => ({
    error_class,
    asked: attempts.map(({ provider }) => provider),
  }))
  expect(seen).toEqual(ends.map(({ error_class, asked }) => ({ error_class, asked: [...asked] })))
  const { status } = await stand.operator.read<{ status: Standing }>(`/v1/budgets/${budgetId}`)
  expect(status.reserved.cost_usd).toBe(0)
  expect(status.spent.cost_usd).toBeCloseTo(
    rows.reduce((sum, { cost_usd }) => sum + cost_usd, 0),
    9,
  )
  await expectNothingHeld(stand, key, rows)
}

interface Standing {
  readonly spent: { readonly cost_usd: number }
  readonly reserved: { readonly cost_usd: number }
}

/** The second of the same name comes while the first is under way; the others after its fault. */
async function named(stand: Stand, voice: Voice, fault: Play, outcome: Outcome): Promise<void> {
  await withProvider(async (played) => {
    const place = await stand.place(voice.dialect, played, 1)
    const key = await stand.ownKey({ max_concurrency: 2 })
    const send = () => stand.ask(voice, place.model, 'once', { key, headers: { 'idempotency-key': place.slug } })
    const gate = Promise.withResolvers<void>()
    played.play(after(gate.promise, fault), answers(voice))
    const first = send()
    await played.request(0)
    const meanwhile = await send()
    expect([meanwhile.status, errorOf(JSON.parse(meanwhile.text)).type]).toEqual([409, 'invalid_request_error'])
    gate.resolve()
    const broken = await first
    expectAnswer(voice, outcome, broken)
    await stand.row(broken.id)
    const [again, told] = [await send(), await send()]
    for (const answer of [again, told]) expectAnswer(voice, ANSWERED, answer)
    expect(told.headers.get('x-gateway-replayed')).toBe(again.id)
    expect(played.requests).toHaveLength(2)
    const rows = await Promise.all([broken, meanwhile, again, told].map(({ id }) => stand.row(id)))
    expect(rows.map(({ attempts }) => attempts.length)).toEqual([1, 0, 1, 0])
    await stand.operator.change(`/v1/keys/${key.id}`, { limits: null })
    await expectNothingHeld(stand, key, rows)
  })
}
