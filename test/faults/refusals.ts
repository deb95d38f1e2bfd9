/** What providers say instead of an answer: statuses, bodies in every shape, waits in every form, ways to elsewhere. */
import type { Client } from '../gateway/clients.ts'
import { json, redirect, text } from '../support/plays.ts'
import { failed, type Failed, type Fault, plays } from './fault.ts'

type Headers_ = Readonly<Record<string, string>>
/** Where the formats differ in what a status is about. */
type PerFormat = Readonly<Record<Client['name'], Failed>>
const KEEPS = { keeps: true } as const
const JSON_TYPE = { 'content-type': 'application/json' }
const PAGE = '<html><head><title>502</title></head><body>nginx</body></html>'

function says(status: number, body: unknown, outcome: Failed | PerFormat, headers: Headers_ = {}): Fault {
  const written = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    name: `${status} ${written.slice(0, 60)}${Object.keys(headers).length === 0 ? '' : ` ${JSON.stringify(headers)}`}`,
    host: plays(() => text(written, status, { ...JSON_TYPE, ...headers })),
    outcome: ({ client }) => ({ ...('ends' in outcome ? outcome : outcome[client.name]), ...KEEPS }),
  }
}

/** As both formats understand it. */
const error = (type: string, message = 'no') => ({ type: 'error', error: { type, code: type, message } })
const rejected = (status: number, messagesType?: string): Failed =>
  failed('rejected', { status, ...(messagesType === undefined ? {} : { messagesType }) })

/** OpenAI's format takes every other status below 500 for one about the request. */
const oddRequest = (status: number): PerFormat => {
  const theirs = rejected(status)
  return { messages: failed('server'), chat: theirs, responses: theirs }
}

const STATUSES: readonly Fault[] = [
  says(400, error('invalid_request_error'), rejected(400)),
  says(400, '', rejected(400)),
  says(400, 'Bad Request', rejected(400)),
  says(400, '{"detail":[{"loc":["body"],"msg":"field required"}]}', rejected(400)),
  says(
    400,
    error('invalid_request_error', 'prompt is too long: 300000 tokens > 200000 maximum'),
    failed('context_too_long'),
  ),
  says(
    400,
    error('content_policy_violation', 'Output blocked by content filtering policy'),
    failed('refused_content', { messagesType: 'content_policy_violation' }),
  ),
  says(401, error('authentication_error'), failed('auth')),
  says(401, '', failed('auth')),
  says(402, '{"error":"pay"}', failed('billing')),
  says(403, error('permission_error'), failed('not_entitled')),
  says(403, error('permission_error', 'Your API key was revoked'), failed('auth')),
  says(404, error('not_found_error', 'model: nothing'), failed('not_entitled')),
  says(404, PAGE, failed('server')),
  says(408, '', failed('timeout')),
  says(409, error('conflict_error'), rejected(409, 'conflict_error')),
  says(413, error('request_too_large'), rejected(413, 'request_too_large')),
  says(422, '{"detail":"unprocessable"}', rejected(422)),
  says(425, '', oddRequest(425)),
  says(429, '', failed('rate_limit')),
  says(429, '[{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED"}}]', failed('rate_limit')),
  says(429, error('insufficient_quota', 'You exceeded your current quota'), failed('billing')),
  says(451, error('unavailable_for_legal_reasons'), oddRequest(451)),
  says(500, PAGE, failed('server')),
  says(500, error('api_error'), failed('server')),
  says(500, 'null', failed('server')),
  says(502, '', failed('server')),
  says(503, PAGE, failed('overloaded')),
  says(504, '', failed('server')),
  says(520, 'error code: 520', failed('server')),
  says(529, error('overloaded_error'), failed('overloaded')),
  says(599, '"?"', failed('server')),
  says(200, error('overloaded_error'), failed('overloaded')),
  says(500, `{"error":{"message":"${'x'.repeat(200_000)}"}}`, failed('server')),
  says(500, '['.repeat(50_000), failed('server')),
]

const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT'
const LIMIT = error('rate_limit_error', 'slow down')
const wait = (headers: Headers_, retryAfterS: number): Fault =>
  says(429, LIMIT, failed('rate_limit', { retryAfterS }), headers)

/** What a client is told lies between one second and a minute, whatever the provider says. */
const WAITS: readonly Fault[] = [
  wait({ 'retry-after': '7' }, 7),
  wait({ 'retry-after': '0.5' }, 1),
  wait({ 'retry-after': '0' }, 1),
  wait({ 'retry-after': '-5' }, 1),
  wait({ 'retry-after': '99999999999' }, 60),
  wait({ 'retry-after': 'soon' }, 1),
  wait({ 'retry-after': '' }, 1),
  wait({ 'retry-after-ms': '2500' }, 3),
  wait({ 'retry-after-ms': '4000', 'retry-after': '30' }, 4),
  wait({ 'retry-after': 'Sat, 21 Nov 2026 12:00:20 GMT', date: DATE }, 20),
  wait({ 'retry-after': 'Sat, 21 Nov 2026 11:59:00 GMT', date: DATE }, 1),
]

/** Nobody follows them, whether they lead to where they came from or to the metadata of a cloud. */
const REDIRECTS: readonly Fault[] = [
  [301, '/v1/messages'],
  [302, 'http://169.254.169.254/latest/meta-data/'],
  [303, '/v1/chat/completions'],
  [307, 'file:///etc/passwd'],
  [308, 'http://[fd00:ec2::254]/latest/'],
  [307, ''],
].map(([status, location]) => ({
  name: `a redirect ${status} to ${location === '' ? 'nowhere' : location}`,
  host: plays(() => redirect(String(location), Number(status))),
  outcome: failed('server', KEEPS),
}))

const ODD: readonly Fault[] = [300, 304, 306, 399].map((status) => ({
  name: `the status ${status}`,
  host: plays(() => json({}, status)),
  outcome: failed('server', KEEPS),
}))

export const REFUSALS: readonly Fault[] = [...STATUSES, ...WAITS, ...REDIRECTS, ...ODD]
