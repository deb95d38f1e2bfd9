/** Something for the dashboard's pages to show, made through the REST API as a person would. */
import type {
  Account,
  Budget,
  Chain,
  CustomProvider,
  KeyWithSecret,
  LoggedRequest,
  Plan,
  ProxyPool,
  Skill,
} from '../../src/web/wire.ts'
import type { DashboardServer } from './browser.ts'

/** Fills a server that has its owner. Returns the addresses of pages worth looking at. */
export async function fill(server: DashboardServer): Promise<string[]> {
  const access = await makePlans(server)
  const keys = await makeKeys(server)
  const skill = await writeSkills(server)
  const upstream = await connectProviders(server)
  const routing = await makeRules(server)
  const exits = await makePools(server)
  const [newest] = await server.call<LoggedRequest[]>('GET', '/v1/usage/requests?limit=1')
  return [
    '/connect',
    '/overview',
    '/keys',
    '/keys/new',
    ...keys,
    ...access,
    '/profile',
    '/skills',
    '/skills/new',
    `/skills/${skill.id}`,
    '/settings',
    ...upstream,
    ...routing,
    ...exits,
    '/quotas',
    '/requests',
    ...(newest === undefined ? [] : [`/requests/${newest.id}`]),
    '/console',
    '/audit',
  ]
}

/** A plan that new keys get and one that few do, and budgets above them: the addresses of pages about them. */
async function makePlans(server: DashboardServer): Promise<string[]> {
  const make = (body: object) => server.call<Plan>('POST', '/v1/plans', body)
  const limit = (body: object) => server.call<Budget>('POST', '/v1/budgets', body)
  const limits = { rpm: 60, tpd: 2_000_000, max_concurrency: 8, queue_ms: 5_000, budget_usd: 20 }
  const team = await make({ name: 'Team', description: 'People who write code', is_default: true, ...limits })
  await make({ name: 'Trial', rpd: 50, models_allow: ['*/*-mini', 'demo/*'], budget_usd: 1, budget_period: 'total' })
  const shared = await limit({
    name: 'Team, monthly',
    scope: 'plan',
    scope_id: team.id,
    amount_usd: 150,
    reserve: 'strict',
  })
  await limit({ name: 'Daily', period: 'day', amount_requests: 4, action: 'warn', timezone: 'Europe/Vienna' })
  const each = { scope: 'plan', scope_id: team.id, each: true }
  const single = await limit({
    name: 'Each',
    ...each,
    period: 'rolling',
    rolling_s: 18_000,
    amount_requests: 12,
  })
  return [
    '/plans',
    '/plans/new',
    `/plans/${team.id}`,
    `/plans/${team.id}/edit`,
    '/budgets',
    '/budgets/new',
    `/budgets/${shared.id}`,
    `/budgets/${single.id}`,
    `/budgets/${shared.id}/edit`,
  ]
}

/** One that has been used, one with bounds: the addresses of their pages. */
async function makeKeys(server: DashboardServer): Promise<string[]> {
  const make = (body: object) => server.call<KeyWithSecret>('POST', '/v1/keys', body)
  const laptop = await make({ name: 'laptop', tags: { team: 'platform' } })
  const bot = await make({
    name: 'ci-bot',
    models_allow: ['openai/*', 'deepseek/*'],
    models_deny: ['*/*-pro'],
    ip_allowlist: ['10.0.0.0/8'],
    limits: { tpm: 200_000, rpm: null },
    rotation: { every_days: 90 },
  })
  for (const question of QUESTIONS) await ask(server, laptop.secret, question)
  return [`/keys/${laptop.id}`, `/keys/${bot.id}/edit`]
}

const QUESTIONS = ['Is anyone in the box?', 'Which line is clear?', 'Please call a tool.'] as const

/** Through the inference routes, as a tool does it. */
async function ask(server: DashboardServer, secret: string, content: string): Promise<void> {
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'user-agent': 'claude-cli/2.1' },
    body: JSON.stringify({ model: 'demo/echo', max_tokens: 200, messages: [{ role: 'user', content }] }),
  })
  await response.text()
}

const HOUSE_STYLE = `# House style

Write for a reader who is busy and knows the field.

- Short sentences. One idea each.
- British spelling in documents, American in code.

## Commits

One idea each. The subject states the effect, the body
gives the reason and the evidence.
`

/** Some off, one on for everyone and named by a key as well: that one is returned. */
async function writeSkills(server: DashboardServer): Promise<Skill> {
  const write = (name: string, description: string, content: string): Promise<Skill> =>
    server.call<Skill>('POST', '/v1/skills', { name, description, content })
  await write('changelog-writer', 'Entries for users', 'Say what readers can do now.\n')
  await write('sql-reviewer', 'Reads a migration first', 'Read the migration before the query.\n')
  const { id } = await write('house-style', 'How we write prose, code and commits', HOUSE_STYLE)
  await server.call('POST', '/v1/keys', { name: 'docs-bot', skill_ids: [id], skills_mode: 'only' })
  return server.call<Skill>('PATCH', `/v1/skills/${id}`, { enabled: true })
}

/** A chain with a condition, an alias with weights and one that retires: the addresses of pages about them. */
async function makeRules(server: DashboardServer): Promise<string[]> {
  const chain = await server.call<Chain>('POST', '/v1/chains', {
    name: 'Coding',
    description: 'For agents',
    steps: [
      { model: 'anthropic/claude-sonnet-4-6', when: { all: [{ fact: 'input_tokens', op: 'gt', value: 16_000 }] } },
      { model: 'openai/gpt-5.4' },
      { model: 'demo/echo' },
    ],
  })
  const put = (alias: string, more: object) => server.call('PUT', '/v1/models/alias', { alias, ...more })
  await put('fast', {
    targets: [
      { model: 'openai/gpt-5.4-mini', weight: 3 },
      { model: 'anthropic/claude-haiku-4-5', weight: 1 },
    ],
  })
  const retired = { targets: [{ model: 'fast' }], expires_at: '2099-01-31T00:00:00Z', replaced_by: 'fast' }
  await put('gpt-4*', { ...retired, shadow: true })
  return ['/chains', '/chains/new?example=fallback', `/chains/${chain.id}`, '/aliases', '/aliases/one?alias=fast']
}

/** One for a provider, one for whoever names it: the addresses of their pages. */
async function makePools(server: DashboardServer): Promise<string[]> {
  const make = (name: string, urls: readonly string[], more: object = {}) =>
    server.call<ProxyPool>('POST', '/v1/proxy-pools', { name, endpoints: urls.map((url) => ({ url })), ...more })
  const exits = ['http://ann:correct-horse@exit-1.example:3128', 'socks5h://exit-2.example:1080']
  const { id } = await make('EU exits', exits, { scope: 'provider:mistral' })
  await make('Everything else', ['https://gate.example:8443'], { scope: 'manual', strict: false })
  return ['/proxy-pools', '/proxy-pools/new', `/proxy-pools/${id}`]
}

/** A discount for one account, a price that a contract says, and a fee that begins later. */
async function setPrices(server: DashboardServer, account: Account): Promise<void> {
  const set = (price: object) => server.call('POST', '/v1/model-pricing-overrides', price)
  const contract = { currency_note: 'Our contract, in euros at 1.08' }
  await set({ model: 'openai/gpt-4.1', input: 1.8, output: 7.2, ...contract })
  await set({ model: 'openai/*', scope: 'account', scope_id: account.id, mode: 'multiply', multiplier: 0.85 })
  await set({ model: 'rack/qwen3-32b', per_request: 0.001, effective_from: '2099-01-01T00:00:00Z' })
}

/** Accounts as they stand before anything has been sent to their providers: the addresses of pages about them. */
async function connectProviders(server: DashboardServer): Promise<string[]> {
  const add = (provider: string, name: string, more: object = {}) =>
    server.call<Account>('POST', '/v1/accounts', {
      provider,
      name,
      credentials: { api_key: `sk-${provider}-${name}-0123456789abcdef` },
      ...more,
    })
  const main = await add('openai', 'main', {
    tags: { team: 'platform' },
    models_deny: ['openai/o1*'],
    rpm: 60,
    budget_usd: 50,
  })
  await add('openai', 'backup', { priority: 1 })
  await add('openai', 'sandbox', { priority: 5, enabled: false })
  await add('anthropic', 'shared')
  const rack = await server.call<CustomProvider>('POST', '/v1/custom-providers', {
    slug: 'rack',
    name: 'Rack in the attic',
    dialects: [{ dialect: 'openai_chat', base_url: 'http://192.168.1.30:8000/v1' }],
    models_mode: 'both',
    models: [{ id: 'qwen3-32b', context: 131_072, price: { input: 0.1, output: 0.4 } }],
    allow_private_network: true,
    regions: ['eu'],
    data_policy: { trains: false, zdr: true },
  })
  const said = { context_window: 32_768, max_output: 8_192, tools: false, notes: 'Started with --max-model-len 32768.' }
  await server.call('PUT', '/v1/capability-overrides/rack/qwen3-32b', said)
  await setPrices(server, main)
  const account = `/providers/openai/accounts/${main.id}`
  return [
    '/providers',
    '/providers/openai',
    '/providers/openai/add',
    account,
    `${account}/edit`,
    '/custom-providers',
    `/custom-providers/${rack.id}`,
    '/models',
    '/models/prices',
    '/models/prices/set',
    '/models/prices/new?model=openai%2Fgpt-4.1',
    '/models/prices/newer',
    '/models/prices/past',
    '/models/one?id=rack%2Fqwen3-32b',
  ]
}
