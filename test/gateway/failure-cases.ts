/** What causes each kind of failure, and what the failure table says of it. The provider speaks Messages. */
import type { FailureKind } from '../../src/core/failure.ts'
import type { AppOptions, TestApp } from '../support/app.ts'
import type { Answer } from '../support/dashboard.ts'
import { closedPort, type Play } from '../support/provider.ts'
import { json, reset, silence } from '../support/plays.ts'
import { type Client, MESSAGES, question, RESPONSES } from './clients.ts'
import { ANTHROPIC } from './upstreams.ts'

export interface Case {
  readonly kind: FailureKind
  /** What causes it, if the kind alone does not say. */
  readonly when?: string
  readonly options?: AppOptions
  /** What the provider answers; without it, it must not be asked. */
  readonly play?: Play
  /** Asks in another way than with a plain question. */
  readonly ask?: (app: TestApp, client: Client) => Promise<Answer>
  /** In Messages, and in OpenAI's dialects where they differ. */
  readonly status: number | readonly [messages: number, openai: number]
  readonly type: string
  readonly words: readonly [type: string, code: string | null]
  readonly retryAfter?: string
  readonly isFinal?: boolean
  readonly account?: string
  /** Null: nobody is known who it could be written down for. */
  readonly row?: { readonly status?: string; readonly class?: string } | null
  readonly attempt?: 'released' | 'estimated' | 'settled'
}

export function refusal(
  status: number,
  type: string,
  message = 'no',
  headers: Readonly<Record<string, string>> = {},
): Play {
  return json({ type: 'error', error: { type, message } }, status, headers)
}

export const ask = (app: TestApp, client: Client, more: object = {}, model = ANTHROPIC.model): Promise<Answer> =>
  app.ask(client.path, question(client, model, more))

/** What cannot be carried to a provider of another dialect, for each client. */
function uncarried(app: TestApp, client: Client): Promise<Answer> {
  if (client === RESPONSES) return ask(app, client, { conversation: 'conv_elsewhere' })
  if (client !== MESSAGES) return ask(app, client, { n: 2 })
  const content = [{ type: 'image', source: { type: 'file', file_id: 'file_at_another_vendor' } }]
  return ask(app, client, { messages: [{ role: 'user', content }] }, 'openai/gpt-4o-mini')
}

async function withoutAnyoneListening(app: TestApp, client: Client): Promise<Answer> {
  const { accountId, secret } = app.upstream('anthropic')
  const base_url_override = `http://127.0.0.1:${closedPort()}`
  await app.owner('PATCH', `/v1/accounts/${accountId}`, { base_url_override, credentials: { api_key: secret } })
  return ask(app, client)
}

/** An account whose address is the gateway itself. */
async function goingRound(app: TestApp, client: Client): Promise<Answer> {
  const { accountId, secret } = app.upstream('anthropic')
  const base_url_override = `${await app.listen()}/v1`
  await app.owner('PATCH', `/v1/accounts/${accountId}`, { base_url_override, credentials: { api_key: secret } })
  return ask(app, client)
}

async function withoutPatience(app: TestApp, client: Client): Promise<Answer> {
  const answer = ask(app, client)
  await app.upstream('anthropic').played.request(0)
  app.clock.advance(901_000)
  return answer
}

async function twice(app: TestApp, client: Client): Promise<Answer> {
  await ask(app, client)
  return ask(app, client)
}

export const INVALID = 'invalid_request_error'
export const CASES: readonly Case[] = [
  {
    kind: 'malformed',
    ask: (app, client) => app.ask(client.path, { body: 'not JSON' }),
    status: 400,
    type: INVALID,
    words: [INVALID, null],
    isFinal: true,
  },
  {
    kind: 'unsupported',
    ask: uncarried,
    status: 400,
    type: INVALID,
    words: [INVALID, 'unsupported_parameter'],
    isFinal: true,
  },
  {
    kind: 'unauthenticated',
    ask: (app, client) => app.ask(client.path, { body: {}, headers: { 'x-api-key': 'sk-wrong' } }),
    status: 401,
    type: 'authentication_error',
    words: [INVALID, 'invalid_api_key'],
    isFinal: true,
    row: null,
  },
  {
    kind: 'forbidden',
    when: 'the model is not for this key',
    options: { key: { models_deny: ['anthropic/*'] } },
    status: 403,
    type: 'permission_error',
    words: ['permission_error', null],
    isFinal: true,
    row: { status: 'blocked' },
  },
  {
    kind: 'forbidden',
    when: 'the endpoint is not for this key',
    options: { key: { endpoints_allow: ['count_tokens'] } },
    status: 403,
    type: 'permission_error',
    words: ['permission_error', null],
    isFinal: true,
    row: { status: 'blocked' },
  },
  {
    kind: 'forbidden',
    when: 'the address is not for this key',
    options: { key: { ip_allowlist: ['203.0.113.0/24'] } },
    status: 403,
    type: 'permission_error',
    words: ['permission_error', null],
    isFinal: true,
    row: { status: 'blocked' },
  },
  {
    kind: 'unconnected',
    options: { accounts: {} },
    status: 404,
    type: 'not_found_error',
    words: [INVALID, 'model_not_found'],
    isFinal: true,
  },
  {
    kind: 'unknown_model',
    ask: (app, client) => ask(app, client, {}, 'no-such-model'),
    status: 404,
    type: 'not_found_error',
    words: [INVALID, 'model_not_found'],
    isFinal: true,
  },
  {
    kind: 'unknown_route',
    ask: (app, client) => app.ask(`${client.path}/batches/of_many`, { body: {} }),
    status: 404,
    type: 'not_found_error',
    words: [INVALID, 'model_not_found'],
    isFinal: true,
    row: null,
  },
  {
    kind: 'too_large',
    options: { settings: { server: { max_body_mib: 1 } } },
    ask: (app, client) => ask(app, client, { x: 'x'.repeat(1_100_000) }),
    status: 413,
    type: 'request_too_large',
    words: [INVALID, null],
    isFinal: true,
  },
  {
    kind: 'rejected',
    play: refusal(422, INVALID, 'messages: too odd'),
    status: 422,
    type: INVALID,
    words: [INVALID, null],
    attempt: 'released',
  },
  {
    kind: 'context_too_long',
    play: refusal(400, INVALID, 'prompt is too long: 300000 tokens > 200000 maximum'),
    status: 400,
    type: INVALID,
    words: [INVALID, 'context_length_exceeded'],
    attempt: 'released',
    isFinal: true,
  },
  {
    kind: 'refused_content',
    play: refusal(400, INVALID, 'Output blocked by content filtering policy'),
    status: 400,
    type: INVALID,
    words: [INVALID, 'content_policy_violation'],
    attempt: 'released',
  },
  {
    kind: 'auth',
    play: refusal(401, 'authentication_error', 'invalid x-api-key'),
    status: 502,
    type: 'api_error',
    words: ['server_error', 'upstream_auth'],
    isFinal: true,
    account: 'auth_error',
    attempt: 'released',
  },
  {
    kind: 'billing',
    play: refusal(400, INVALID, 'Your credit balance is too low'),
    status: 429,
    type: 'rate_limit_error',
    words: ['insufficient_quota', 'insufficient_quota'],
    retryAfter: '1',
    isFinal: true,
    account: 'exhausted',
    attempt: 'released',
  },
  {
    kind: 'not_entitled',
    play: refusal(404, 'not_found_error', 'model: claude-haiku-4-5'),
    status: 404,
    type: 'not_found_error',
    words: [INVALID, 'model_not_found'],
    isFinal: true,
    attempt: 'released',
  },
  {
    kind: 'rate_limit',
    play: refusal(429, 'rate_limit_error', 'slow down', { 'retry-after': '12' }),
    status: 429,
    type: 'rate_limit_error',
    words: ['rate_limit_error', 'rate_limit_exceeded'],
    retryAfter: '12',
    account: 'cooldown',
    attempt: 'released',
  },
  {
    kind: 'overloaded',
    play: refusal(529, 'overloaded_error', 'Overloaded'),
    status: [529, 503],
    type: 'overloaded_error',
    words: ['server_error', 'overloaded'],
    retryAfter: '1',
    attempt: 'released',
  },
  {
    kind: 'server',
    play: refusal(500, 'api_error', 'Internal server error'),
    status: 502,
    type: 'api_error',
    words: ['server_error', 'upstream_error'],
    attempt: 'released',
  },
  {
    kind: 'server',
    when: 'the connection breaks after sending',
    play: reset,
    status: 502,
    type: 'api_error',
    words: ['server_error', 'upstream_error'],
    attempt: 'estimated',
  },
  {
    kind: 'empty',
    play: json({ ...ANTHROPIC.reply(''), content: [] }),
    status: 502,
    type: 'api_error',
    words: ['server_error', 'upstream_error'],
    attempt: 'settled',
  },
  {
    kind: 'connect',
    ask: withoutAnyoneListening,
    status: 502,
    type: 'api_error',
    words: ['server_error', 'upstream_unreachable'],
    attempt: 'released',
  },
  {
    kind: 'connect',
    when: 'the address must not be called',
    ask: goingRound,
    status: 502,
    type: 'api_error',
    words: ['server_error', 'upstream_unreachable'],
    attempt: 'released',
  },
  {
    kind: 'timeout',
    play: silence,
    ask: withoutPatience,
    status: 504,
    type: 'timeout_error',
    words: ['server_error', 'timeout'],
    attempt: 'estimated',
  },
  {
    kind: 'exhausted',
    when: 'every account is limited',
    play: refusal(429, 'rate_limit_error', 'slow down', { 'retry-after': '9' }),
    ask: twice,
    status: 429,
    type: 'rate_limit_error',
    words: ['rate_limit_error', 'rate_limit_exceeded'],
    retryAfter: '9',
    account: 'cooldown',
  },
  {
    kind: 'draining',
    ask: (app, client) => (app.app.drain(), ask(app, client)),
    status: 503,
    type: 'overloaded_error',
    words: ['server_error', 'overloaded'],
    retryAfter: '2',
    row: null,
  },
  {
    kind: 'paused',
    options: { settings: { routing: { paused: true } } },
    status: 503,
    type: 'overloaded_error',
    words: ['server_error', 'overloaded'],
    retryAfter: '60',
  },
]
