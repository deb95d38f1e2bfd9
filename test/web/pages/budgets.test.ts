/** Budgets by clicks: made, tried on the past, raised for a while, followed per key, switched off, deleted. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Budget, KeyWithSecret, LimitSimulation, Plan } from '../../../src/web/wire.ts'
import { axeFindings, closeCleanly, describeInBrowser, type Stage, type Tab } from '../../support/browser.ts'
import { ask } from '../../support/gateway-calls.ts'
import { json } from '../../support/plays.ts'
import { chatReply } from '../../support/provider-bodies.ts'
import { playProvider } from '../../support/provider.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(30_000)

/** A dollar a request: a million tokens of input at a dollar. */
const MODEL = 'mint/dollar'
const USD_PER_MTOK = 1

describeInBrowser('budgets', (stage) => {
  const mint = playProvider()
  mint.otherwise(json(chatReply('Here you are.', { inputTokens: 1_000_000, outputTokens: 0 })))
  afterAll(() => mint.stop())

  test('none yet is a sentence; one without an amount is refused beside its field, one for a plan is made', async () => {
    const plan = await stage.server.call<Plan>('POST', '/v1/plans', { name: 'Interns' })
    const tab = await stage.openAs('/budgets')
    const { page } = tab
    await page.getByText('Nothing stops spending.').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Name' }).fill('Interns, weekly')
    await page.getByLabel('What it limits').selectOption('A plan')
    await page.getByLabel('Plan', { exact: true }).selectOption('Interns')
    await page.getByRole('switch', { name: 'Each key has this much for itself' }).click()
    await page.getByLabel('How often').selectOption('a week')
    await page.getByRole('button', { name: 'Add budget' }).click()
    await page.getByText('Or amount_tokens or amount_requests is needed.').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByLabel('Dollars').fill('2.5')
    await page.getByLabel('Time zone').fill('Europe/Vienna')
    await page.getByRole('button', { name: 'Remove 50' }).click()
    await page.getByRole('button', { name: 'Add budget' }).click()
    await page.getByRole('heading', { name: 'Interns, weekly', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Plan Interns, each key' }).waitFor()
    const [budget] = await stage.server.call<Budget[]>('GET', '/v1/budgets')
    expect(budget).toMatchObject({ scope: 'plan', scope_id: plan.id, each: true, amount_usd: 2.5, period: 'week' })
    expect(budget).toMatchObject({ timezone: 'Europe/Vienna', thresholds: [0.8, 1], rolling_s: null })
    await closeCleanly(tab)
  })

  test('what is typed is tried on the past, and nothing is saved', async () => {
    const { secret } = await spender(stage, mint.url, 'tried')
    for (let request = 0; request < 3; request++) await ask(stage.server, secret, MODEL)
    await until(async () => (await simulated(stage)).requests === 3)
    const tab = await stage.openAs('/budgets/new')
    const { page } = tab
    const card = page.getByRole('region', { name: 'Who would have been blocked?' })
    await card.getByRole('button', { name: 'Try it' }).click()
    await card.getByText('Or amount_tokens or amount_requests is needed.').waitFor()
    await page.getByLabel('Dollars').fill('2')
    await card.getByRole('button', { name: 'Try it' }).click()
    await card.getByText('1 of 3 requests would have been refused.').waitFor()
    await card.getByText('budget "this budget"').first().waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByLabel('Dollars').fill('20')
    await card.getByText('This is about what was typed before.').waitFor()
    await card.getByRole('button', { name: 'Try it' }).click()
    await card.getByText('Nobody: all 3 requests would have passed.').waitFor()
    expect((await stage.server.call<Budget[]>('GET', '/v1/budgets?q=this')).length).toBe(0)
    await closeCleanly(tab)
  })

  test('one is raised for a while with a reason, and that is taken back', async () => {
    const { id: key, secret } = await spender(stage, mint.url, 'raised')
    const budget = await make(stage, 'Tight', { scope: 'key', scope_id: key, amount_usd: 4 })
    await ask(stage.server, secret, MODEL)
    await spent(stage, budget, 1)
    const tab = await stage.openAs(`/budgets/${budget.id}`, { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByRole('img', { name: /^Tight: \$1 of \$4 spent; \$[\d.]+ expected by/ }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await fits(tab)).toBe(true)
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('region', { name: 'Course of the budget' }).getByText('$1').first().waitFor()
    await page.getByRole('button', { name: 'Raise for a while' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Raise' }).click()
    await dialog.locator('input[aria-invalid=true]').first().waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await dialog.getByLabel('By, dollars').fill('5')
    await dialog.getByLabel('Reason').fill('release week')
    await dialog.getByRole('button', { name: 'Raise' }).click()
    await page.getByText('release week').waitFor()
    await page.getByText('of $9').first().waitFor()
    expect((await stored(stage, budget)).override).toMatchObject({ extra_usd: 5, cycles: 1, reason: 'release week' })
    await page.getByRole('button', { name: 'End it' }).click()
    await page.getByText('of $4').first().waitFor()
    expect((await stored(stage, budget)).override).toBeNull()
    await closeCleanly(tab)
  })

  test('one with a counter per key shows the fullest first, and leads to the keys', async () => {
    const plan = await stage.server.call<Plan>('POST', '/v1/plans', { name: 'Pairs' })
    const budget = await make(stage, 'Each of two', {
      scope: 'plan',
      scope_id: plan.id,
      each: true,
      amount_requests: 4,
    })
    const [busy, calm] = [
      await spender(stage, mint.url, 'busy', plan.id),
      await spender(stage, mint.url, 'calm', plan.id),
    ]
    for (const { secret } of [busy, busy, busy, calm]) await ask(stage.server, secret, MODEL)
    await until(async () => (await stored(stage, budget)).status?.spent.requests === 3)
    const tab = await stage.openAs(`/budgets/${budget.id}`)
    const { page } = tab
    const rows = page.getByRole('table', { name: 'Counters' }).getByRole('row')
    await rows.nth(1).getByText('3 of 4 requests').waitFor()
    await rows.nth(2).getByText('1 of 4 requests').waitFor()
    await rows.nth(1).getByRole('link', { name: 'busy' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await rows.nth(2).getByRole('link', { name: 'calm' }).click()
    await page.getByRole('heading', { name: 'calm', level: 1 }).waitFor()
    await page.getByRole('list', { name: 'Budgets that it falls under' }).getByText('1 of 4 requests').waitFor()
    await page.getByRole('region', { name: 'Budget' }).getByRole('link', { name: 'Add' }).click()
    await page
      .getByLabel('Key', { exact: true })
      .locator('option:checked', { hasText: 'calm' })
      .waitFor({ state: 'attached' })
    await closeCleanly(tab)
  })

  test('they are found by what they limit; one that is edited keeps what nobody touched', async () => {
    const budget = await make(stage, 'Slow lane', {
      scope: 'tag',
      scope_id: 'team=night',
      amount_tokens: 5_000,
      period: 'rolling',
      rolling_s: 7_200,
      action: 'throttle',
      reserve: 'strict',
    })
    const tab = await stage.openAs('/budgets?scope=tag')
    const { page } = tab
    await page.getByText('in any 2 hours').waitFor()
    expect(await page.getByRole('link', { name: 'Interns, weekly' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Slow lane' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await page.keyboard.press('e')
    await page.getByLabel('Window', { exact: true }).fill('3')
    await page.getByLabel('At the limit').selectOption('Serve another model')
    await page.getByLabel('Served instead by').fill('nobody/nothing')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('input[name=downgrade_to][aria-invalid=true]').waitFor()
    await page.getByLabel('Served instead by').fill('demo/echo')
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Budget “Slow lane” changed').waitFor()
    expect(await stored(stage, budget)).toMatchObject({
      action: 'downgrade',
      downgrade_to: 'demo/echo',
      rolling_s: 10_800,
      amount_tokens: 5_000,
      reserve: 'strict',
    })
    await closeCleanly(tab)
  })

  test('of very many keys the one that it is about is searched by name', async () => {
    const names = Array.from({ length: 101 }, (_, at) => `many-${String(at).padStart(3, '0')}`)
    for (const name of names) await stage.server.call('POST', '/v1/keys', { name })
    const tab = await stage.openAs('/budgets/new?scope=key')
    const { page } = tab
    await page.getByLabel('Search by name').fill('many-000')
    const choice = page.getByLabel('Key', { exact: true })
    await choice.locator('option').nth(2).waitFor({ state: 'detached' })
    await choice.selectOption('many-000')
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('One of many')
    await page.getByLabel('Requests').fill('5')
    await page.getByRole('button', { name: 'Add budget' }).click()
    await page.getByRole('link', { name: 'Key many-000' }).waitFor()
    await closeCleanly(tab)
  })

  test('one that is used up is deleted only when its name is typed, or switched off instead', async () => {
    const { id: key, secret } = await spender(stage, mint.url, 'done')
    const budget = await make(stage, 'Used', { scope: 'key', scope_id: key, amount_requests: 1 })
    await ask(stage.server, secret, MODEL)
    await until(async () => (await stored(stage, budget)).status?.state === 'over')
    const tab = await stage.openAs(`/budgets/${budget.id}`)
    const { page } = tab
    await page.getByText('used up', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More about this budget' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('Key done can go on spending at once.').waitFor()
    await page.getByRole('textbox', { name: 'Type Used to delete it' }).waitFor()
    const act = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })
    expect(await act.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('button', { name: 'Switch off instead' }).click()
    await page.getByText('It is switched off', { exact: true }).waitFor()
    expect((await stored(stage, budget)).enabled).toBe(false)
    await page.getByRole('button', { name: 'More about this budget' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await act.click()
    await page.getByText('“Used” is deleted').waitFor()
    expect(await stage.server.call<Budget[]>('GET', '/v1/budgets?q=used')).toEqual([])
    await closeCleanly(tab)
  })
  test('every page of theirs is sound in the other theme at the other width, too', async () => {
    const { id } = await make(stage, 'Looked at', { amount_usd: 5, action: 'warn', period: 'total' })
    const pages = [
      ['/budgets', 'link', 'Looked at'],
      ['/budgets/new', 'textbox', 'Name'],
      [`/budgets/${id}`, 'heading', 'Looked at'],
      [`/budgets/${id}/edit`, 'textbox', 'Name'],
    ] as const
    for (const [path, role, name] of pages) {
      for (const look of [{ theme: 'light', width: 390 } as const, { theme: 'dark', width: 1440 } as const]) {
        const tab = await stage.openAs(path, look)
        await tab.page.getByRole(role, { name }).waitFor()
        expect([path, await axeFindings(tab)]).toEqual([path, []])
        expect([path, await fits(tab)]).toEqual([path, true])
        await closeCleanly(tab)
      }
    }
  }, 90_000)
})

function make({ server }: Stage, name: string, more: object): Promise<Budget> {
  return server.call<Budget>('POST', '/v1/budgets', { name, ...more })
}

function stored({ server }: Stage, { id }: Budget): Promise<Budget> {
  return server.call<Budget>('GET', `/v1/budgets/${id}`)
}

/** Resolves once the budget has counted so many dollars. */
function spent(stage: Stage, budget: Budget, usd: number): Promise<void> {
  return until(async () => (await stored(stage, budget)).status?.spent.cost_usd === usd)
}

/** A key, and a provider that takes a dollar for each of its requests. */
async function spender({ server }: Stage, url: string, name: string, planId?: string): Promise<KeyWithSecret> {
  const known = await server.call<object[]>('GET', '/v1/accounts?provider=mint')
  if (known.length === 0) {
    await server.call('POST', '/v1/custom-providers', {
      slug: 'mint',
      dialects: [{ dialect: 'openai_chat', base_url: `${url}/v1` }],
      allow_private_network: true,
      models_mode: 'static',
      models: [{ id: 'dollar', price: { input: USD_PER_MTOK, output: USD_PER_MTOK } }],
    })
    await server.call('POST', '/v1/accounts', {
      provider: 'mint',
      name: 'main',
      credentials: { api_key: 'sk-mint-0123456789abcdef' },
    })
  }
  return server.call<KeyWithSecret>('POST', '/v1/keys', { name, ...(planId !== undefined && { plan_id: planId }) })
}

function simulated({ server }: Stage): Promise<LimitSimulation> {
  return server.call('POST', '/v1/plans/simulate', { plan: {}, range: '24h' })
}

function fits({ page }: Tab): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth <= innerWidth')
}
