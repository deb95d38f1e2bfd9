/** Plans by clicks: made, refused beside the field, changed, looked at by who is on them, and deleted with a word of where keys go. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Key, LoggedRequest, Plan } from '../../../src/web/wire.ts'
import { axeFindings, closeCleanly, describeInBrowser, type Stage, type Tab } from '../../support/browser.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(30_000)

describeInBrowser('plans', (stage) => {
  test('none yet is a sentence; a new one by keyboard is the default for new keys', async () => {
    const tab = await stage.openAs('/plans')
    const { page } = tab
    await page.getByText('No plans yet').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Name' }).fill('Team')
    await page.getByRole('switch', { name: 'Keys that are made without a plan get this one' }).click()
    await page.getByLabel('Requests a minute').fill('60')
    await page.getByLabel('May cost, dollars').fill('20')
    await page.getByLabel('How often').selectOption('a week')
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Add plan' }).click()
    await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()
    await page.getByText('for new keys').waitFor()
    await page.getByText('$20 a week').waitFor()
    await page.getByText('No key is on it', { exact: true }).waitFor()
    const [plan] = await stage.server.call<Plan[]>('GET', '/v1/plans')
    expect(plan).toMatchObject({ name: 'Team', is_default: true, rpm: 60, rpd: null, budget_usd: 20 })
    expect(plan).toMatchObject({ budget_period: 'week', models_allow: ['*'], endpoints_allow: ['*'] })
    await closeCleanly(tab)
  })

  test('what the server refuses stands beside its field', async () => {
    await make(stage, 'Taken')
    const tab = await stage.openAs('/plans/new')
    const { page } = tab
    await page.getByRole('textbox', { name: 'Name' }).fill('Taken')
    await page.getByRole('button', { name: 'Add plan' }).click()
    await page.getByText('Is taken.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Free')
    await page.getByLabel('At the same time').fill('99999')
    await page.getByLabel('Days begin in').fill('Middle/Earth')
    await page.getByRole('button', { name: 'Add plan' }).click()
    await page.locator('input[name=max_concurrency][aria-invalid=true]').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByLabel('At the same time').fill('8')
    await page.getByRole('button', { name: 'Add plan' }).click()
    await page.getByText('Must be the IANA name of a time zone').waitFor()
    await page.getByLabel('Days begin in').fill('Europe/Vienna')
    await page.getByRole('button', { name: 'Add plan' }).click()
    await page.getByRole('heading', { name: 'Free', level: 1 }).waitFor()
    await closeCleanly(tab)
  })

  test('one is changed: only what was touched is sent, and what is allowed can be tried first', async () => {
    const plan = await make(stage, 'Changed', { tpd: 5_000_000, cache_read_weight: 0.1, priority: -3 })
    const tab = await stage.openAs(`/plans/${plan.id}`, { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByText('5.0 M').waitFor()
    await page.getByText('−3').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await fits(tab)).toBe(true)
    await page.getByRole('button', { name: 'Edit' }).click()
    const patterns = page.getByLabel('Add allowed pattern')
    await patterns.fill('demo/*')
    await patterns.press('Enter')
    await page.getByLabel('Try a model name').fill('openai/gpt-5.4')
    await page.getByText('not allowed by any pattern').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await fits(tab)).toBe(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Plan “Changed” changed').waitFor()
    const saved = await stage.server.call<Plan>('GET', `/v1/plans/${plan.id}`)
    expect(saved).toMatchObject({ models_allow: ['demo/*'], tpd: 5_000_000, cache_read_weight: 0.1, priority: -3 })
    await closeCleanly(tab)
  })

  test('who is on it is listed, and its requests are found in the log', async () => {
    const plan = await make(stage, 'Followed')
    const { secret } = await key(stage, 'follower', plan.id)
    await key(stage, 'bystander', null)
    expect(await ask(stage, secret)).toBe(200)
    await logged(stage, plan.id)
    const tab = await stage.openAs(`/plans/${plan.id}`)
    const { page } = tab
    await page.getByRole('link', { name: 'follower' }).waitFor()
    expect(await page.getByRole('link', { name: 'bystander' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Its requests' }).click()
    await page.getByText('Plan is Followed').waitFor()
    await page.getByText('demo/echo').first().waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'All 1' }).click()
    await page.getByRole('link', { name: 'follower' }).waitFor()
    expect(await page.getByRole('link', { name: 'bystander' }).count()).toBe(0)
    await closeCleanly(tab)
  })

  test('one with keys is deleted only with a word of where they go', async () => {
    const [old, heir] = [await make(stage, 'Old'), await make(stage, 'Heir')]
    const moved = await key(stage, 'moved', old.id)
    const tab = await stage.openAs(`/plans/${old.id}`)
    const { page } = tab
    await page.getByRole('button', { name: 'More about this plan' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('1 key is on it').waitFor()
    const act = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
    expect(await act.getAttribute('aria-disabled')).toBe('true')
    expect(await axeFindings(tab)).toEqual([])
    await page.getByLabel('Move its keys to').selectOption('Heir')
    await act.click()
    await page.getByText(/Deleted the plan Old; its key is on Heir now/).waitFor()
    await page.getByRole('link', { name: 'Heir' }).waitFor()
    expect((await stage.server.call<Key>('GET', `/v1/keys/${moved.id}`)).plan_id).toBe(heir.id)
    await closeCleanly(tab)
  })

  test('one that a budget limits says so before it is tried, and stays', async () => {
    const plan = await make(stage, 'Limited')
    await stage.server.call('POST', '/v1/budgets', { name: 'cap', scope: 'plan', scope_id: plan.id, amount_usd: 5 })
    const tab = await stage.openAs(`/plans/${plan.id}`)
    const { page } = tab
    await page.getByRole('meter', { name: 'cap, percent spent' }).waitFor()
    await page.getByRole('button', { name: 'More about this plan' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('The budget “cap” limits this plan').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect((await stage.server.call<Plan>('GET', `/v1/plans/${plan.id}`)).name).toBe('Limited')
    await closeCleanly(tab)
  })
  test('every page of theirs is sound in the other theme at the other width, too', async () => {
    const { id } = await make(stage, 'Looked at', { rpm: 5, budget_usd: 1, models_allow: ['demo/*'] })
    const pages = [
      ['/plans', 'link', 'Looked at'],
      ['/plans/new', 'textbox', 'Name'],
      [`/plans/${id}`, 'heading', 'Looked at'],
      [`/plans/${id}/edit`, 'textbox', 'Name'],
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

function make({ server }: Stage, name: string, more: object = {}): Promise<Plan> {
  return server.call<Plan>('POST', '/v1/plans', { name, ...more })
}

function key({ server }: Stage, name: string, planId: string | null): Promise<Key & { readonly secret: string }> {
  return server.call('POST', '/v1/keys', { name, plan_id: planId })
}

function fits({ page }: Tab): Promise<unknown> {
  return page.evaluate('document.documentElement.scrollWidth <= innerWidth')
}

/** The status with which the gateway answers this key. */
async function ask({ server }: Stage, secret: string): Promise<number> {
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo/echo', max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] }),
  })
  await response.text()
  return response.status
}

/** Resolves once the log has a request of this plan. */
function logged({ server }: Stage, planId: string): Promise<void> {
  return until(async () => {
    const found = await server.call<LoggedRequest[]>('GET', `/v1/usage/requests?plan_id=${planId}`)
    return found.length > 0
  })
}
