/** Laws that hold whatever a provider does: a whole answer or an error, never a broken answer that looks whole, and one record. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { makeApp, type TestApp } from '../support/app.ts'
import type { Answer } from '../support/dashboard.ts'
import type { Play } from '../support/provider.ts'
import { json, reset, stream, type Step, text } from '../support/plays.ts'
import { CHAT, type Client, errorOf, MESSAGES, question, readStream, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, type Speaker } from './upstreams.ts'

const ROUTES: readonly (readonly [Client, Speaker])[] = [
  [MESSAGES, ANTHROPIC],
  [CHAT, OPENAI_CHAT],
  [RESPONSES, OPENAI_RESPONSES],
  [MESSAGES, OPENAI_CHAT],
  [CHAT, ANTHROPIC],
  [RESPONSES, ANTHROPIC],
]
const WORDS = ['Óne ', 'two 🚦 ', 'three.']
const WHOLE = WORDS.join('')

let app: TestApp
beforeAll(async () => {
  const circuit = { errors: 100, window_s: 1 } // the providers here fail all the time
  app = await makeApp({ accounts: { anthropic: 2, openai: 2 }, settings: { resilience: { circuit } } })
})
afterAll(() => app[Symbol.asyncDispose]())

/** What one account's provider does with a request. */
interface Deed {
  /** How much of its answer it gives, in parts of a thousand. */
  readonly share: number
  /** Bytes of a piece; pieces are sent one by one. */
  readonly pieceBytes: number
  readonly end: 'properly' | 'cut' | 'reset'
  readonly instead: 'nothing' | '500' | 'reset' | 'page' | 'noise'
}
const DEED: fc.Arbitrary<Deed> = fc.record({
  share: fc.oneof(fc.constant(1_000), fc.nat(1_000)),
  pieceBytes: fc.constantFrom(1, 13, 200, 100_000),
  end: fc.constantFrom('properly', 'cut', 'reset'),
  instead: fc.oneof(
    { weight: 4, arbitrary: fc.constant('nothing' as const) },
    fc.constantFrom('500', 'reset', 'page', 'noise'),
  ),
})

function playOf(speaker: Speaker, { share, pieceBytes, end, instead }: Deed, isStream: boolean): Play {
  if (instead === '500') return json({}, 500)
  if (instead === 'reset') return reset
  if (instead === 'page') return text('<html></html>', 200, { 'content-type': 'text/html' })
  if (instead === 'noise')
    return text(Buffer.from([0, 255, 10, 10, 13, 58, 0]), 200, { 'content-type': 'text/event-stream' })
  const answer = isStream ? speaker.stream(WORDS).join('') : JSON.stringify(speaker.reply(WHOLE))
  const bytes = Buffer.from(answer)
  const given = bytes.subarray(0, Math.ceil((bytes.length * share) / 1_000))
  const pieces: Step[] = []
  for (let at = 0; at < given.length; at += pieceBytes) pieces.push(given.subarray(at, at + pieceBytes))
  const contentType = isStream ? 'text/event-stream' : 'application/json'
  return stream(end === 'properly' ? pieces : [...pieces, end], { 'content-type': contentType })
}

interface Outcome {
  readonly whole: boolean
  readonly text: string
  readonly hasError: boolean
}

function outcomeOf(client: Client, { status, headers, body }: Answer): Outcome {
  if (headers.get('content-type')?.startsWith('text/event-stream') === true) {
    const { ended, error, text: said } = readStream(body)
    return { whole: ended, text: said, hasError: error !== undefined }
  }
  const isOk = status === 200
  return { whole: isOk, text: isOk ? client.textOf(body) : '', hasError: !isOk && errorOf(body).message !== '' }
}

describe('whatever its providers do, a client', () => {
  for (const [client, speaker] of ROUTES) {
    for (const isStream of [true, false]) {
      const name = `${client.name} → ${speaker.client.name}, ${isStream ? 'streamed' : 'plain'}`

      test(`${name}: has the whole answer or an error, and one record that says which`, async () => {
        await fc.assert(
          fc.asyncProperty(DEED, DEED, async (first, second) => {
            for (const [index, deed] of [first, second].entries()) {
              const { played } = app.upstream(speaker.provider, index)
              played.otherwise(playOf(speaker, deed, isStream))
            }
            const answer = await app.ask(client.path, question(client, speaker.model, isStream ? { stream: true } : {}))
            const outcome = outcomeOf(client, answer)
            expect(outcome.whole).toBe(!outcome.hasError)
            expect(WHOLE.startsWith(outcome.text)).toBe(true)
            if (outcome.whole) expect(outcome.text).toBe(WHOLE)
            await expectRecord(answer, outcome)
          }),
          { numRuns: 40 },
        )
        expect(app.app.inFlight()).toBe(0)
        expect(app.log.filter((line) => line.startsWith('error'))).toEqual([])
      })
    }
  }
})

async function expectRecord({ status, headers }: Answer, { whole, text: said }: Outcome): Promise<void> {
  app.clock.advance(100)
  const { body } = await app.owner('GET', `/v1/usage/requests/${headers.get('x-request-id')}`)
  const row = body.data
  const broken = said === '' ? ['error', 'cut'] : ['cut']
  expect(row.status).toBeOneOf(whole ? ['ok'] : broken)
  expect(row.http).toBe(status)
  expect(row.attempts.length).toBeWithin(1, 3)
  expect(row.attempts.every(({ state }: { state: string }) => state !== 'sent')).toBe(true)
  expect(row.attempts.at(-1).class === null).toBe(whole)
}
