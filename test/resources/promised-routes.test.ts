/** The routes that the product promises, against those that it has: what is missing is missing by name. */
import { describe, expect, test } from 'bun:test'
import { ACCESS } from '../../src/resources/access.ts'

/** `GET|POST /path`, a line each. */
const PROMISED = `
POST /v1/messages
POST /v1/messages/count_tokens
POST /v1/chat/completions
POST /v1/responses
POST /v1/images/generations
POST /v1/audio/speech
POST /v1/audio/transcriptions
POST /v1/embeddings
POST /v1/search
POST /v1/web/fetch
GET /skills/:id/SKILL.md
POST /v1/auth/sign-in
POST /v1/auth/refresh
GET /v1/auth/me
POST /v1/auth/sign-out
GET|POST /v1/keys
GET|PUT|PATCH|DELETE /v1/keys/:id
POST /v1/keys/:id/reveal
POST /v1/keys/:id/rotate
GET|POST /v1/plans
GET|PUT|PATCH|DELETE /v1/plans/:id
GET /v1/plans/:id/keys
POST /v1/plans/simulate
GET|POST /v1/chains
GET|PUT|PATCH|DELETE /v1/chains/:id
GET /v1/chains/:id/usage
POST /v1/chains/simulate
POST /v1/chains/:id/simulate
GET|PUT|DELETE /v1/models/alias
GET /v1/providers
GET /v1/providers/:id
GET /v1/providers/:id/models
POST /v1/providers/:id/models/sync
GET /v1/providers/rates
POST /v1/providers/rates/sync
GET|POST /v1/custom-providers
PUT|PATCH|DELETE /v1/custom-providers/:id
POST /v1/validate-key
GET|POST /v1/accounts
POST /v1/accounts/bulk
GET|PUT|PATCH|DELETE /v1/accounts/:id
POST /v1/accounts/:id/test
POST /v1/accounts/:id/reveal
POST /v1/accounts/:id/probe
GET /v1/accounts/:id/quota
POST /v1/accounts/:id/quota/reset
POST /v1/providers/:id/accounts/disable-all
POST /v1/providers/:id/accounts/enable-all
DELETE /v1/providers/:id/accounts/disabled
DELETE /v1/providers/:id/accounts/all
GET|POST /v1/budgets
GET /v1/budgets/status
GET /v1/budgets/:id/forecast
PUT|PATCH|DELETE /v1/budgets/:id
GET /v1/usage
GET /v1/usage/models
GET /v1/usage/insights
GET /v1/usage/telemetry
GET /v1/usage/requests
GET /v1/usage/requests/:id
GET /v1/usage/export
POST /v1/usage/reprice
GET /v1/quota
GET /v1/quota/overview
PATCH|DELETE /v1/quota/:id
GET|POST /v1/proxy-pools
POST /v1/proxy-pools/health-check
PUT|PATCH|DELETE /v1/proxy-pools/:id
POST /v1/proxy-pools/:id/test
GET|POST|DELETE /v1/model-pricing-overrides
GET|PUT /v1/capability-overrides
DELETE /v1/capability-overrides/:provider/:model
POST /v1/capability-overrides/reset
GET|POST /v1/guardrails
PUT /v1/guardrails/settings
POST /v1/guardrails/evaluate
PUT|PATCH|DELETE /v1/guardrails/:id
GET /v1/tunnels/quicktunnel
POST /v1/tunnels/quicktunnel/enable
POST /v1/tunnels/quicktunnel/disable
GET /v1/tunnels/tailnet
POST /v1/tunnels/tailnet/enable
POST /v1/tunnels/tailnet/disable
GET|PUT|PATCH /v1/settings
GET|POST /v1/skills
POST /v1/skills/parse
PATCH|DELETE /v1/skills/:id
GET /v1/skills/:id/usage
GET|DELETE /v1/console
GET /v1/system/stats
GET /v1/metrics
GET /v1/media
GET|POST /v1/users
PATCH|DELETE /v1/users/:id
GET /v1/audit
GET /health
`

/** Promised, and not there yet; a line goes with the commit that brings its route. */
const LATER = `
POST /v1/images/generations
POST /v1/audio/speech
POST /v1/audio/transcriptions
POST /v1/embeddings
POST /v1/search
POST /v1/web/fetch
GET|POST /v1/guardrails
PUT /v1/guardrails/settings
POST /v1/guardrails/evaluate
PUT|PATCH|DELETE /v1/guardrails/:id
GET /v1/tunnels/quicktunnel
POST /v1/tunnels/quicktunnel/enable
POST /v1/tunnels/quicktunnel/disable
GET /v1/tunnels/tailnet
POST /v1/tunnels/tailnet/enable
POST /v1/tunnels/tailnet/disable
GET /v1/metrics
GET /v1/media
GET|POST /v1/users
PATCH|DELETE /v1/users/:id
`

/** One name for each method. What a parameter is called is nobody's business, and the rest of a path is one, too. */
function routesIn(text: string): readonly string[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [methods = '', path = ''] = line.split(' ')
      return methods.split('|').map((method) => nameOf(method, path))
    })
}

function nameOf(method: string, path: string): string {
  return `${method} ${path.replace('/:provider/:model', '/*').replaceAll(/:[a-z]+/g, ':id')}`
}

const served = new Set(ACCESS.map(({ method, path }) => nameOf(method, path)))

describe('the promised routes', () => {
  test('are there, but for those of which it is said that they come later', () => {
    expect(routesIn(PROMISED).filter((route) => !served.has(route))).toEqual([...routesIn(LATER)])
  })

  test('are promised once, and nothing comes later that nobody promised', () => {
    const promised = routesIn(PROMISED)
    expect(promised).toEqual([...new Set(promised)])
    expect(routesIn(LATER).filter((route) => !promised.includes(route))).toEqual([])
  })
})
