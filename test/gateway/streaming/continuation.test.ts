/** Answers that are cut after their client has begun to read them, where the rules ask to go on with them. */
import { describe, expect, test } from 'bun:test'
import { type AppOptions, makeApp, type TestApp } from '../../support/app.ts'
import { json, stream, type Step } from '../../support/plays.ts'
import { sseFrame } from '../../support/provider-bodies.ts'
import type { Play } from '../../support/provider.ts'
import { CHAT, CLIENTS, MESSAGES, question, readStream } from '../clients.ts'
import { ANTHROPIC, OPENAI_CHAT } from '../upstreams.ts'

const MODEL = ANTHROPIC.model
const CONTINUE = { streaming: { on_cut: 'continue' } }
const GEMINI_PATH = `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`

const world = (options: AppOptions = {}): Promise<TestApp> => makeApp({ settings: CONTINUE, ...options })

/** The deltas of an answer whose end never comes. */
function cutAfter(deltas: readonly string[], how: Step = 'cut'): Play {
  return stream([...ANTHROPIC.stream(deltas, { inputTokens: 10 }).slice(0, 3 + deltas.length), how])
}

const whole = (deltas: readonly string[]): Play =>
  stream(ANTHROPIC.stream(deltas, { inputTokens: 12, outputTokens: 7 }))

interface Heard {
  readonly text: string
  readonly ended: boolean
  readonly error: unknown
}

async function ask(app: TestApp, more: object = {}, client = MESSAGES, model = MODEL): Promise<Heard> {
  return readStream((await app.ask(client.path, question(client, model, { stream: true, ...more }))).body)
}

async function askAsGemini(app: TestApp): Promise<Heard> {
  const body = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
  const answer = await app.ask(GEMINI_PATH, { body, headers: { 'x-goog-api-key': app.key.secret } })
  const chunks = String(answer.body)
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)))
  const candidates = chunks.flatMap(({ candidates: all = [] }) => all)
  const parts = candidates.flatMap(({ content }) => content?.parts ?? [])
  const text = parts.map((part: { text?: string }) => part.text ?? '').join('')
  return { text, ended: candidates.some(({ finishReason }) => finishReason !== undefined), error: undefined }
}

const played = (app: TestApp) => app.upstream('anthropic').played
const bodyOf = (app: TestApp, index: number) => JSON.parse(played(app).requests[index]?.text() ?? '')
const outcomesOf = async (app: TestApp) => {
  const [row] = await app.rows()
  return row?.['route'].map(({ outcome, reason }: { outcome: string; reason: string }) => reason ?? outcome)
}

describe('an answer that is cut inside its text', () => {
  const clients = CLIENTS.map((client) => [client.name, (app: TestApp) => ask(app, {}, client)] as const)
  test.each([...clients, ['gemini', askAsGemini] as const])('goes on for a client of %s', async (_, asking) => {
    await using app = await world()
    played(app).play(cutAfter(['Once upon', ' a time']), whole([' there was', ' an end.']))
    expect(await asking(app)).toMatchObject({
      text: 'Once upon a time there was an end.',
      ended: true,
      error: undefined,
    })
    expect(played(app).requests).toHaveLength(2)
  })

  test('is asked for with the conversation and the text so far, without white space at its end', async () => {
    await using app = await world()
    played(app).play(cutAfter(['Once upon ', 'a time \n']), whole(['there was']))
    expect((await ask(app)).text).toBe('Once upon a time \nthere was')
    const { messages, max_tokens, stream: streamed } = bodyOf(app, 1)
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant'])
    expect(JSON.stringify(messages[1].content)).toContain('"Once upon a time"')
    expect([max_tokens, streamed]).toEqual([64 - 5, true])
  })

  test('goes on with what is left of the length that its key may have', async () => {
    await using app = await world({ key: { limits: { max_output_tokens: 20 } } })
    played(app).play(cutAfter(['Once upon', ' a time']), whole([' there was']))
    expect((await ask(app, {}, CHAT)).ended).toBe(true)
    expect([bodyOf(app, 0).max_tokens, bodyOf(app, 1).max_tokens]).toEqual([20, 20 - 4])
  })

  test('is not gone on with where nothing is left of that', async () => {
    await using app = await world({ key: { limits: { max_output_tokens: 4 } } })
    played(app).play(cutAfter(['Once upon', ' a time']), whole([' there was']))
    expect(await ask(app, {}, CHAT)).toMatchObject({ text: 'Once upon a time', error: { message: expect.any(String) } })
    expect(played(app).requests).toHaveLength(1)
  })

  test('tells its client one usage, and its row every attempt with the sum of what they cost', async () => {
    await using app = await world()
    played(app).play(cutAfter(['Once upon a time']), whole([' there was']))
    const answer = await app.ask(MESSAGES.path, question(MESSAGES, MODEL, { stream: true }))
    const delta = String(answer.body)
      .split('\n')
      .find((line) => line.includes('"message_delta"'))
    expect(JSON.parse(delta?.slice('data: '.length) ?? '').usage.output_tokens).toBe(4 + 7)
    const [row] = await app.rows()
    expect(row).toMatchObject({ status: 'ok', error_class: null, tokens: { input_tokens: 22, output: 4 + 7 } })
    expect(row?.attempts.map(({ class: kind, state }) => [kind, state])).toEqual([
      ['cut', 'estimated'],
      [null, 'settled'],
    ])
    expect(row?.['route'].at(-1)).toMatchObject({ outcome: 'ok', detail: expect.stringContaining('had been cut') })
  })

  test('says nothing twice when what goes on repeats the end', async () => {
    await using app = await world()
    played(app).play(cutAfter(['The quick brown fox jumps']), whole(['quick brown fox', ' jumps over', ' the dog.']))
    expect((await ask(app)).text).toBe('The quick brown fox jumps over the dog.')
  })

  test('goes on twice at most', async () => {
    await using app = await world()
    played(app).play(cutAfter(['one']), cutAfter([' two']), cutAfter([' three']), whole([' four']))
    expect(await ask(app)).toMatchObject({ text: 'one two three', ended: false, error: expect.anything() })
    expect(played(app).requests).toHaveLength(3)
    expect(await outcomesOf(app)).toEqual(['cut', 'cut', 'cut'])
    expect((await app.rows())[0]?.status).toBe('cut')
  })

  test('goes on after a reset, an overload in the stream and a silence', async () => {
    await using app = await world()
    const overloaded = sseFrame('error', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
    played(app).play(cutAfter(['a'], 'reset'), whole([' b']), cutAfter(['a'], overloaded), whole([' b']))
    for (let nth = 0; nth < 2; nth++) expect(await ask(app)).toMatchObject({ text: 'a b', ended: true })
    played(app).play(cutAfter(['a'], 'silence'), whole([' b']))
    const answer = ask(app)
    await played(app).request(4)
    while (played(app).requests.length < 6) {
      app.clock.advance(10_000)
      await Bun.sleep(0)
    }
    expect(await answer).toMatchObject({ text: 'a b', ended: true })
  })

  test('goes on at another account when the first does not', async () => {
    await using app = await world({ accounts: { anthropic: 2 } })
    played(app).play(cutAfter(['Once']), json({ type: 'error', error: { type: 'api_error', message: 'down' } }, 500))
    app.upstream('anthropic', 1).played.play(whole([' more']))
    expect(await ask(app)).toMatchObject({ text: 'Once more', ended: true })
    expect(await outcomesOf(app)).toEqual(['cut', 'server', 'ok'])
  })

  test('ends well when nothing was missing', async () => {
    await using app = await world()
    played(app).play(cutAfter(['All is said.']), whole([]))
    expect(await ask(app)).toMatchObject({ text: 'All is said.', ended: true, error: undefined })
  })
})

describe('an error it stays', () => {
  const call = {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
  }
  const thinking = {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'thinking', thinking: '', signature: '' },
  }
  const thought = { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } }
  const [start = ''] = ANTHROPIC.stream([])
  const frames = (...events: readonly { readonly type: string }[]) => [
    start,
    ...events.map((event) => sseFrame(event.type, event)),
  ]
  const closed = { type: 'content_block_stop', index: 0 }
  const later = { ...call, index: 1 }

  const cases: readonly (readonly [string, Play, object, AppOptions])[] = [
    ['where nobody asked to go on', cutAfter(['Once']), {}, { settings: {} }],
    ['inside a call', stream([...frames(call), 'cut']), {}, {}],
    ['inside of thinking', stream([...frames(thinking, thought), 'cut']), {}, {}],
    [
      'after a call began',
      stream([...ANTHROPIC.stream(['Once']).slice(0, 4), ...frames(closed, later).slice(1), 'cut']),
      {},
      {},
    ],
    ['between the parts', stream([...ANTHROPIC.stream(['Once']).slice(0, 5), 'cut']), {}, {}],
    ['when the limit is used up', cutAfter(['Once upon a time']), { max_tokens: 4 }, {}],
  ]
  test.each(cases)('%s', async (_, play, more, options) => {
    await using app = await world(options)
    played(app).play(play, whole([' more']))
    expect(await ask(app, more)).toMatchObject({ ended: false, error: expect.anything() })
    expect(played(app).requests).toHaveLength(1)
    expect((await app.rows())[0]?.status).toBe('cut')
  })

  test.each([
    ['a model that takes no begun answers', 'anthropic/claude-sonnet-4-6', MESSAGES, ANTHROPIC],
    ['a model of which that is only assumed', OPENAI_CHAT.model, CHAT, OPENAI_CHAT],
  ] as const)('at %s, whose bytes go on untouched', async (_, model, client, speaker) => {
    await using app = await world()
    const events = speaker.stream(['Once'])
    const upstream = app.upstream(speaker.provider).played
    upstream.play(stream([...events.slice(0, -3), 'cut']))
    expect(await ask(app, {}, client, model)).toMatchObject({ ended: false, error: expect.anything() })
    expect(upstream.requests).toHaveLength(1)
  })

  test('when all attempts are used up', async () => {
    await using app = await world({ settings: { ...CONTINUE, routing: { retry: { total_attempts: 1 } } } })
    played(app).play(cutAfter(['Once']), whole([' more']))
    expect(await ask(app)).toMatchObject({ text: 'Once', ended: false, error: expect.anything() })
    expect(played(app).requests).toHaveLength(1)
  })
})

test('a chain says for its own requests whether to go on', async () => {
  await using app = await world({ settings: {} })
  const steps = [{ model: MODEL }]
  await app.owner('POST', '/v1/chains', { name: 'On', steps, stream: { on_cut: 'continue' } })
  played(app).play(cutAfter(['Once']), whole([' more']))
  expect(await ask(app, {}, MESSAGES, 'on')).toMatchObject({ text: 'Once more', ended: true })
})
