/** Keys as people handle them: every act, what it says before and after, and what the server refuses. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import type { Key, Plan } from '../../../src/web/wire.ts'
import { axeFindings, closeCleanly, describeInBrowser, type Stage } from '../../support/browser.ts'

interface Made {
  readonly id: string
  readonly name: string
  readonly secret: string
}

interface Rules {
  readonly status: string
  readonly version: number
  readonly models_allow: string[] | null
  readonly ip_allowlist: string[]
  readonly expires_at: string | null
}

setDefaultTimeout(20_000)

describeInBrowser('keys', (stage) => {
  test('none yet, then a new one whose secret is shown once', async () => {
    const tab = await stage.openAs('/keys')
    const { page } = tab
    await page.getByText('No keys yet').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Name' }).fill('ci-bot')
    await page.getByText('Models and endpoints').click()
    await add(page.getByLabel('Add allowed pattern'), 'demo/*')
    await page.getByLabel('Try a model name').fill('openai/gpt-5.5')
    await page.getByText('not allowed by any pattern').waitFor()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Shown once').waitFor()
    expect(await page.locator('code[role=textbox]').textContent()).toStartWith('sk-sbx-')
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'ci-bot' }).waitFor()
    await page.getByText('demo/*').first().waitFor()
    await closeCleanly(tab)
  })

  test('a new one is offered a ceiling of what it may cost, and keeps it when it is taken', async () => {
    const tab = await stage.openAs('/keys/new')
    const { page } = tab
    await page.getByText('Neither it nor its plan limits what it may cost').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('textbox', { name: 'Name' }).fill('capped')
    await page.getByRole('button', { name: 'Allow $20 a month' }).click()
    await page.getByText('What it may cost: $20 a month').waitFor()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Shown once').waitFor()
    const [made] = await stage.server.call<readonly Key[]>('GET', '/v1/keys?q=capped')
    expect(made?.limits).toEqual({ budget_usd: 20, budget_period: 'month' })
    await closeCleanly(tab)
  })

  test('are searched, sorted and switched off together, and that is taken back', async () => {
    await make(stage, 'alpha')
    await make(stage, 'beta')
    const tab = await stage.openAs('/keys?q=nothing-like-this', { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByText('No key matches this search').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('link', { name: 'alpha' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('button', { name: 'Name' }).click()
    await page.waitForURL('**sort=name**')
    await page.getByRole('row', { name: /alpha/ }).getByRole('checkbox').check()
    await page.getByRole('row', { name: /beta/ }).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('2 keys are disabled').waitFor()
    await page.getByRole('row', { name: /alpha.*Disabled/ }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('row', { name: /beta.*Active/ }).waitFor()
    await closeCleanly(tab)
  })

  test('are edited: a bad address is refused beside its field, a good one is saved', async () => {
    const key = await make(stage, 'edited')
    const tab = await stage.openAs(`/keys/${key.id}`)
    const { page } = tab
    await page.getByRole('heading', { name: 'edited' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.keyboard.press('e')
    await add(page.getByRole('textbox', { name: 'Add address' }), 'nonsense')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('One field needs a change').waitFor()
    await page
      .getByText(/must hold addresses/i)
      .first()
      .waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Remove nonsense' }).click()
    await add(page.getByRole('textbox', { name: 'Add address' }), '10.0.0.0/8')
    await page.getByLabel('Expires').fill('2031-05-06T07:08')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“edited” is saved').waitFor()
    const saved = await stage.server.call<Rules>('GET', `/v1/keys/${key.id}`)
    expect(saved.ip_allowlist).toEqual(['10.0.0.0/8'])
    expect(saved.expires_at).toStartWith('2031-05-0')
    expect(saved.models_allow).toBeNull()
    await closeCleanly(tab)
  })

  test('that somebody else has changed meanwhile are not overwritten unasked', async () => {
    const key = await make(stage, 'shared')
    const tab = await stage.openAs(`/keys/${key.id}/edit`)
    const { page } = tab
    await page.getByRole('textbox', { name: 'Name' }).fill('mine')
    await stage.server.call('PATCH', `/v1/keys/${key.id}`, { name: 'theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody has changed this').waitFor()
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('“mine” is saved').waitFor()
    await closeCleanly(tab)
  })

  test('are revealed, rotated with a grace, disabled and enabled', async () => {
    const key = await make(stage, 'handled')
    const tab = await stage.openAs(`/keys/${key.id}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Reveal the key' }).click()
    await page.getByText(key.secret).waitFor()
    await page.getByRole('button', { name: 'Hide the key' }).click()
    await page.getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('textbox', { name: 'The old secret works for, hours' }).fill('9999')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.locator('dialog input[aria-invalid=true]').waitFor()
    await page.getByRole('textbox', { name: 'The old secret works for, hours' }).fill('1')
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.getByText('The new secret').waitFor()
    const fresh = await page.locator('code[role=textbox]').textContent()
    expect(fresh).not.toBe(key.secret)
    expect([await ask(stage, key.secret), await ask(stage, fresh ?? '')]).toEqual([200, 200])
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('“handled” is disabled').waitFor()
    expect(await ask(stage, fresh ?? '')).toBe(401)
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await page.getByText('“handled” is enabled').waitFor()
    await closeCleanly(tab)
  })

  test('that are made while nobody answers keep what was typed', async () => {
    const tab = await stage.openAs('/keys/new')
    const { page } = tab
    await page.getByRole('textbox', { name: 'Name' }).fill('patient')
    await tab.context.setOffline(true)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('The gateway does not answer. Nothing was saved.').waitFor()
    await tab.context.setOffline(false)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Shown once').waitFor()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('heading', { name: 'patient' }).waitFor()
    await closeCleanly(tab)
  })

  test('are deleted once their name is typed, when somebody uses them', async () => {
    const key = await make(stage, 'in-use')
    expect(await ask(stage, key.secret)).toBe(200)
    const tab = await stage.openAs(`/keys/${key.id}`)
    const { page } = tab
    await page.getByText('demo/echo').first().waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 request came with it').waitFor()
    await page.getByRole('textbox', { name: /Type in-use/ }).fill('in-use')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“in-use” is deleted').waitFor()
    await page.getByRole('link', { name: 'in-use' }).waitFor({ state: 'detached' })
    await page.goto(`/keys/${key.id}`)
    await page.getByText('The key could not be read').waitFor()
    await closeCleanly(tab)
  })

  test('say who limits them: the key itself, its plan, or nobody; and can differ from their plan', async () => {
    const limits = { rpm: 60, tpd: 5_000, max_concurrency: 4, budget_usd: 20 }
    const plan = await stage.server.call<Plan>('POST', '/v1/plans', { name: 'Origins', ...limits })
    const key = await make(stage, 'limited', { plan_id: plan.id, limits: { rpm: null, max_concurrency: 2 } })
    const tab = await stage.openAs(`/keys/${key.id}`, { theme: 'dark', width: 390 })
    const { page } = tab
    const row = (limit: string) => page.getByRole('table', { name: 'Limits' }).getByRole('row', { name: limit })
    expect(await row('Requests a minute').textContent()).toBe('Requests a minuteno limitthis key')
    expect(await row('Requests a day').textContent()).toBe('Requests a dayno limitplan')
    expect(await row('At the same time').textContent()).toBe('At the same time2this key')
    expect(await row('Tokens a day').textContent()).toBe('Tokens a day5,000plan')
    await page.getByText('of $20 a month').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('link', { name: 'Override' }).click()
    await page.getByText('Origins: 60.').waitFor()
    await page.getByLabel('Requests a minute: which limit').selectOption('as its plan')
    await page.getByLabel('Tokens a day: which limit').selectOption('its own')
    await page.getByRole('textbox', { name: 'Tokens a day' }).fill('9000')
    await page.getByLabel('Waits for a place, ms').fill('99999999')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('input[name="limits.queue_ms"][aria-invalid=true]').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByLabel('Waits for a place, ms').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“limited” is saved').waitFor()
    const saved = await stage.server.call<Key>('GET', `/v1/keys/${key.id}`)
    expect(saved.limits).toEqual({ max_concurrency: 2, tpd: 9_000 })
    await closeCleanly(tab)
  })

  test('on no plan have the defaults, and what other plans would have refused is replayed', async () => {
    const key = await make(stage, 'planless', { plan_id: null, rotation: { every_days: 30 }, tags: { team: 'ops' } })
    await stage.server.call('POST', '/v1/plans', { name: 'Nothing', rpd: 0 })
    await stage.server.call('POST', '/v1/budgets', {
      name: 'ops, daily',
      scope: 'tag',
      scope_id: 'team=ops',
      period: 'day',
      amount_requests: 2,
    })
    expect(await ask(stage, key.secret)).toBe(200)
    const tab = await stage.openAs(`/keys/${key.id}`)
    const { page } = tab
    const limits = page.getByRole('table', { name: 'Limits' })
    expect(await limits.getByRole('row', { name: 'Tokens a day' }).textContent()).toBe('Tokens a dayno limitdefault')
    await page.getByText('Neither the key nor its plan says what it may cost.').waitFor()
    await page.getByRole('list', { name: 'Budgets that it falls under' }).getByText('1 of 2 requests').waitFor()
    await page.getByText('every 30 days, as a reminder').waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    const outcome = page.getByRole('table', { name: 'Plans' }).getByRole('row', { name: /^Nothing/ })
    await outcome.getByText('of 1').waitFor()
    expect(await outcome.textContent()).toBe('Nothing1 of 1')
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('are moved to a plan and served by chosen accounts; a spent budget is said in their list', async () => {
    const account = await stage.server.call<{ id: string }>('POST', '/v1/accounts', {
      provider: 'openai',
      name: 'only-this',
      credentials: { api_key: 'sk-openai-0123456789abcdef' },
    })
    const plan = await stage.server.call<Plan>('POST', '/v1/plans', { name: 'Movers' })
    const key = await make(stage, 'mover', { plan_id: null })
    const budget = { name: 'gone', scope: 'key', scope_id: key.id, amount_requests: 1 }
    await stage.server.call('POST', '/v1/budgets', budget)
    expect(await ask(stage, key.secret)).toBe(200)
    const tab = await stage.openAs(`/keys/${key.id}/edit`)
    const { page } = tab
    await page.getByLabel('Plan', { exact: true }).selectOption('Movers')
    await page.getByRole('checkbox', { name: 'openai, only-this' }).check()
    await page.getByLabel('Keep what requests say').selectOption('of all')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“mover” is saved').waitFor()
    const saved = await stage.server.call<Key>('GET', `/v1/keys/${key.id}`)
    expect(saved).toMatchObject({ plan_id: plan.id, account_ids: [account.id], log_content: 'always', limits: null })
    await page.getByText('only-this').waitFor()
    await page.goto(`/keys?plan_id=${plan.id}`)
    await page.getByText('Plan is Movers').waitFor()
    await page.getByRole('row', { name: /mover.*Over budget/ }).waitFor()
    expect(await page.getByRole('link', { name: 'planless' }).count()).toBe(0)
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('whose copies are not kept cannot be revealed, and say so', async () => {
    const key = await make(stage, 'forgotten')
    await stage.server.call('PATCH', '/v1/settings', { auth: { keys_revealable: false } })
    const tab = await stage.openAs(`/keys/${key.id}`)
    await tab.page.getByRole('button', { name: 'Reveal the key' }).click()
    await tab.page.getByRole('alert').waitFor()
    expect(await tab.page.getByText(key.secret).count()).toBe(0)
    await closeCleanly(tab)
  })
})

/** As people do: typed, then Enter. */
async function add(input: Locator, text: string): Promise<void> {
  await input.fill(text)
  await input.press('Enter')
}

function make({ server }: Stage, name: string, more: object = {}): Promise<Made> {
  return server.call<Made>('POST', '/v1/keys', { name, ...more })
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
