/** A conversation whose prefix changed: the thinking that was bound to the old one is left out, and the request still succeeds. */
import { describe, expect, test } from 'bun:test'
import { ATTEMPTS_MAX } from '../../src/routing/attempts.ts'
import { sealOpaque } from '../../src/dialects/opaque.ts'
import { makeApp, type ClientRequest, type TestApp } from '../support/app.ts'
import { json, stream } from '../support/plays.ts'
import type { Play } from '../support/provider.ts'
import { CHAT, type Client, errorOf, MESSAGES, readStream, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_RESPONSES } from './upstreams.ts'

const OLD = 'EqQBCkYIBxgCKkDold'
// https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation (read 2026-11-21)
const BOUND =
  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. ' +
  'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
// https://github.com/anthropics/claude-code/issues/63246 (read 2026-11-21)
const MODIFIED =
  'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. ' +
  'These blocks must remain as they were in the original response.'

const refusal = (message: string): object => ({ type: 'error', error: { type: 'invalid_request_error', message } })

/** Refuses a conversation in which `blob` stands, as the vendor does, and answers any other. */
function refusing(blob: string, answer: Play, message = BOUND): Play {
  return (stage) => (stage.request.text().includes(blob) ? json(refusal(message), 400)(stage) : answer(stage))
}

const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { n: 1.0 } }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' }
const TOOLS = [{ name: 'look', input_schema: { type: 'object', properties: {} } }]

/** An open tool loop, as text: what is not thinking must go on byte for byte. */
function messages(thinking: string, thinkingSetting: string): string {
  return `{"model": "${ANTHROPIC.model}", "max_tokens": 4096, "thinking": ${thinkingSetting}, "tools": ${JSON.stringify(TOOLS)},
  "messages": [{"role": "user", "content": "look, \\u00e9 1.0"},
    {"role": "assistant", "content": [${thinking}{"type": "text", "text": "I look. "}, ${JSON.stringify(call)}]},
    {"role": "user", "content": [${JSON.stringify(result)}]}], "stream": false}`
}

const THINKING = `{"type": "thinking", "thinking": "hm", "signature": "${OLD}"}, {"type": "redacted_thinking", "data": "${OLD}2"}, `
const ADAPTIVE = '{"type": "adaptive"}'

async function refusingApp(blob: string, answer: Play = json(ANTHROPIC.reply('Done.')), message = BOUND) {
  const app = await makeApp({ skills: ['Answer in verse.'] })
  app.upstream('anthropic').played.otherwise(refusing(blob, answer, message))
  return app
}

async function ask(app: TestApp, client: Client, request: ClientRequest) {
  const { status, headers, body } = await app.ask(client.path, request)
  return { status, body, attempts: headers.get('x-gateway-attempts'), dropped: headers.get('x-gateway-dropped') }
}

function sent(app: TestApp, index: number, provider = 'anthropic'): string {
  return app.upstream(provider).played.requests[index]?.text() ?? ''
}

describe('a provider that refuses old thinking is asked once more without it', () => {
  for (const message of [BOUND, MODIFIED]) {
    test(`when it says "${message.slice(0, 50)}…", with all other bytes as the client wrote them`, async () => {
      await using app = await refusingApp(OLD, json(ANTHROPIC.reply('Done.')), message)
      const answer = await ask(app, MESSAGES, { body: messages(THINKING, ADAPTIVE) })
      expect(answer).toMatchObject({ status: 200, attempts: '2', dropped: 'thinking' })
      expect(sent(app, 1)).toBe(sent(app, 0).replace(THINKING, ''))
    })
  }

  test('in a stream, before its head is out', async () => {
    await using app = await refusingApp(OLD, stream(ANTHROPIC.stream(['Do', 'ne.'])))
    const body = messages(THINKING, ADAPTIVE).replace('"stream": false', '"stream": true')
    const answer = await ask(app, MESSAGES, { body })
    expect(answer).toMatchObject({ status: 200, attempts: '2', dropped: 'thinking' })
    expect(readStream(answer.body)).toMatchObject({ text: 'Done.', ended: true, error: undefined })
  })

  test('and both attempts are on record, in a request that did not fail', async () => {
    await using app = await refusingApp(OLD)
    await ask(app, MESSAGES, { body: messages(THINKING, ADAPTIVE) })
    const [row] = await app.rows()
    expect(row).toMatchObject({ status: 'ok', error_class: null, http: 200 })
    expect(row?.attempts).toMatchObject([
      { class: 'rejected', http: 400, state: 'released' },
      { class: null, http: 200 },
    ])
    expect(await app.account(app.upstream('anthropic'))).toMatchObject({ status: 'active', last_error: null })
  })

  test('a thinking budget is switched off where an open tool loop would need the thinking', async () => {
    await using app = await refusingApp(OLD)
    const edits =
      '"context_management": {"edits": [{"type": "clear_thinking_20251015"}, {"type": "clear_tool_uses_20250919"}]}, '
    const budget = messages(THINKING, '{"type": "enabled", "budget_tokens": 2048}')
    const answer = await ask(app, MESSAGES, { body: budget.replace('"max_tokens"', `${edits}"max_tokens"`) })
    expect(answer).toMatchObject({ status: 200, dropped: 'thinking' })
    expect(JSON.parse(sent(app, 1))).toMatchObject({
      thinking: { type: 'disabled' },
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    })
  })

  test('also where a conversation that comes from elsewhere lacks the thinking', async () => {
    await using app = await makeApp()
    // https://github.com/lbjlaq/Antigravity-Manager/issues/139 (read 2026-11-21)
    const lacking =
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, ' +
      'a final `assistant` message must start with a thinking block.'
    app.upstream('anthropic').played.play(json(refusal(lacking), 400), json(ANTHROPIC.reply('Done.')))
    const budget = '{"type": "enabled", "budget_tokens": 2048}'
    const answer = await ask(app, MESSAGES, { body: messages('', budget) })
    expect(answer).toMatchObject({ status: 200, attempts: '2', dropped: 'thinking' })
    expect(sent(app, 1)).toBe(sent(app, 0).replace(budget, '{"type":"disabled"}'))
  })

  test('a turn of thinking alone goes whole', async () => {
    await using app = await refusingApp(OLD)
    const body = {
      model: ANTHROPIC.model,
      max_tokens: 64,
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: OLD }] },
        { role: 'user', content: 'b' },
      ],
    }
    expect(await ask(app, MESSAGES, { body })).toMatchObject({ status: 200 })
    expect(JSON.parse(sent(app, 1)).messages).toEqual([body.messages[0], body.messages[2]])
  })

  test.each([false, true])('after a translation, too; streaming: %p', async (streams) => {
    await using app = await refusingApp(
      OLD,
      streams ? stream(ANTHROPIC.stream(['Done.'])) : json(ANTHROPIC.reply('Done.')),
    )
    const sealed = sealOpaque({ vendor: 'anthropic', kind: 'signature', blob: OLD })
    const body = CHAT.body(ANTHROPIC.model, 'look', {
      stream: streams,
      messages: [
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          content: null,
          reasoning_details: [{ type: 'reasoning.text', text: 'hm', signature: sealed, index: 0 }],
          tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'seen' },
      ],
    })
    const answer = await ask(app, CHAT, { body })
    expect(answer).toMatchObject({ status: 200, attempts: '2', dropped: 'thinking' })
    expect(streams ? readStream(answer.body).text : CHAT.textOf(answer.body)).toBe('Done.')
    expect(sent(app, 0)).toContain(OLD)
    expect(JSON.parse(sent(app, 1)).messages[1].content).toMatchObject([{ type: 'tool_use', id: 'toolu_1' }])
  })

  test('and encrypted reasoning goes together with the ids that are bound to it', async () => {
    await using app = await makeApp()
    // https://github.com/openai/codex/issues/8119 (read 2026-11-21)
    const error = {
      message: 'The encrypted content gAAA...DQ== could not be verified.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_encrypted_content',
    }
    const { played } = app.upstream('openai')
    played.play(json({ error }, 400), json(OPENAI_RESPONSES.reply('Done.')))
    const input = [
      { role: 'user', content: 'look' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAAold' },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'seen' },
    ]
    const answer = await ask(app, RESPONSES, { body: { model: OPENAI_RESPONSES.model, store: false, input } })
    expect(answer).toMatchObject({ status: 200, attempts: '2', dropped: 'thinking' })
    const [, , { id: _bound, ...functionCall }] = input as [object, object, { id: string }]
    expect(JSON.parse(sent(app, 1, 'openai')).input).toEqual([input[0], functionCall, input[3]])
  })
})

describe('Gemini is asked once more with the mark that stands for a signature', () => {
  // https://github.com/google-gemini/gemini-cli/issues/13467 (read 2026-11-21)
  const corrupted = json(
    { error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' } },
    400,
  )
  const answer = json({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Done.' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  })
  const MODEL = 'google/gemini-3.8-flash'
  const SKIP = 'skip_thought_signature_validator'

  test('when it speaks its own format', async () => {
    await using app = await makeApp({ accounts: { google: 1 } })
    app.upstream('google').played.play(corrupted, answer)
    const body = `{"contents": [{"role": "user", "parts": [{"text": "look 1.0"}]},
      {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}, "thoughtSignature": "T0xE"}]},
      {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"output": "seen"}}}]}]}`
    const { status, headers } = await app.ask(`/v1beta/models/${MODEL}:generateContent`, { body })
    expect({ status, dropped: headers.get('x-gateway-dropped') }).toEqual({ status: 200, dropped: 'thinking' })
    expect(sent(app, 1, 'google')).toBe(body.replace('T0xE', SKIP))
  })

  test('when its client speaks another', async () => {
    await using app = await makeApp({ accounts: { google: 1 } })
    app.upstream('google').played.play(corrupted, answer)
    const signature = sealOpaque({ vendor: 'google', kind: 'signature', blob: 'T0xE' })
    const body = {
      model: MODEL,
      max_tokens: 64,
      tools: TOOLS,
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature }, call] },
        { role: 'user', content: [result] },
      ],
    }
    expect(await ask(app, MESSAGES, { body })).toMatchObject({ status: 200, attempts: '2', dropped: 'thinking' })
    expect(sent(app, 0, 'google')).toContain('"T0xE"')
    expect(sent(app, 1, 'google')).not.toContain('"T0xE"')
  })
})

describe('what was refused is remembered for the account', () => {
  test('later turns leave out exactly that, and keep what was thought since', async () => {
    await using app = await refusingApp(OLD)
    await ask(app, MESSAGES, { body: messages(THINKING, ADAPTIVE) })
    const fresh = '{"type": "thinking", "thinking": "anew", "signature": "fresh"}, '
    const answer = await ask(app, MESSAGES, { body: messages(THINKING + fresh, ADAPTIVE) })
    expect(answer).toMatchObject({ status: 200, attempts: '1', dropped: 'thinking' })
    expect(app.upstream('anthropic').played.requests).toHaveLength(3)
    expect(sent(app, 2)).toBe(sent(app, 0).replace(THINKING, fresh))
  })

  test('another conversation goes on untouched', async () => {
    await using app = await refusingApp(OLD)
    await ask(app, MESSAGES, { body: messages(THINKING, ADAPTIVE) })
    const other = '{"type": "thinking", "thinking": "hm", "signature": "other"}, '
    expect(await ask(app, MESSAGES, { body: messages(other, ADAPTIVE) })).toMatchObject({
      attempts: '1',
      dropped: null,
    })
  })
})

describe('the refusal itself is the answer', () => {
  test('when there is no thinking to leave out', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.play(json(refusal(BOUND), 400))
    const answer = await ask(app, MESSAGES, { body: messages('', ADAPTIVE) })
    expect(answer).toMatchObject({ status: 400, attempts: '1' })
    expect(errorOf(answer.body).message).toBe(BOUND)
  })

  test('when it comes again, after one more attempt and no further', async () => {
    await using app = await makeApp()
    app.upstream('anthropic').played.otherwise(json(refusal(BOUND), 400))
    expect(await ask(app, MESSAGES, { body: messages(THINKING, ADAPTIVE) })).toMatchObject({
      status: 400,
      attempts: '2',
    })
    expect(app.upstream('anthropic').played.requests).toHaveLength(2)
  })
})

test('another account that refuses the thinking of the first is asked without it, within the budget of attempts', async () => {
  await using app = await makeApp({ accounts: { anthropic: ATTEMPTS_MAX } })
  const limited = json({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }, 429)
  for (let index = 0; index < ATTEMPTS_MAX; index++)
    app.upstream('anthropic', index).played.otherwise(refusing(OLD, limited))
  const answer = await ask(app, MESSAGES, { body: messages(THINKING, ADAPTIVE) })
  expect(answer).toMatchObject({ status: 429, attempts: String(ATTEMPTS_MAX) })
  expect(app.upstream('anthropic', 1).played.requests).toHaveLength(2)
})
