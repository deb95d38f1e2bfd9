/** Aliases by clicks: made with weights, refused where they would hide a model, retired with a replacement, deleted. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser, type Stage } from '../../support/browser.ts'
import type { Alias } from '../../../src/web/wire.ts'

setDefaultTimeout(30_000)

const put = (stage: Stage, alias: string, more: object = {}): Promise<readonly Alias[]> =>
  stage.server.call('PUT', '/v1/models/alias', { alias, targets: [{ model: 'demo/echo' }], ...more })

async function stored(stage: Stage, alias: string): Promise<Alias | undefined> {
  const [found] = await stage.server.call<Alias[]>('GET', `/v1/models/alias?alias=${encodeURIComponent(alias)}`)
  return found
}

describeInBrowser('aliases', (stage) => {
  test('none yet is a sentence and an example', async () => {
    const tab = await stage.openAs('/aliases')
    const { page } = tab
    await page.getByText('No aliases yet').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('link', { name: 'A name of your own for a model' }).click()
    await page.getByRole('button', { name: 'Add alias' }).click()
    await page.getByRole('heading', { name: 'default', level: 1 }).waitFor()
    expect(await stored(stage, 'default')).toMatchObject({ targets: [{ model: 'demo/echo', weight: 3 }] })
    await closeCleanly(tab)
  })

  test('one with two targets is made by clicks, with the share of each', async () => {
    const tab = await stage.openAs('/aliases/new')
    const { page } = tab
    await page.getByLabel('Alias', { exact: true }).fill('fast')
    await page.getByLabel('Target 1: model, alias or chain').fill('demo/echo')
    await page.getByRole('button', { name: 'Add a target' }).click()
    await page.getByLabel('Target 2: model, alias or chain').fill('openai/gpt-5.4-mini')
    await page.getByLabel('Weight 1').fill('3')
    await page.getByText('75 %').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await page.getByRole('button', { name: 'Add alias' }).click()
    await page.getByRole('heading', { name: 'fast', level: 1 }).waitFor()
    expect(await stored(stage, 'fast')).toMatchObject({
      strategy: 'weighted',
      targets: [
        { model: 'demo/echo', weight: 3 },
        { model: 'openai/gpt-5.4-mini', weight: 1 },
      ],
    })
    await closeCleanly(tab)
  })

  test('a name that is taken, and one that would hide a model, are said beside the field', async () => {
    await put(stage, 'taken', { targets: [{ model: 'openai/gpt-5.4' }] })
    const tab = await stage.openAs('/aliases/new')
    const { page } = tab
    await page.getByLabel('Target 1: model, alias or chain').fill('openai/gpt-5.4')
    await page.getByLabel('Alias', { exact: true }).fill('taken')
    await page.getByRole('button', { name: 'Add alias' }).click()
    await page.getByText('Is there already').waitFor()
    await page.getByLabel('Alias', { exact: true }).fill('openai/gpt-5')
    await page.getByRole('button', { name: 'Add alias' }).click()
    await page.getByText('Hides the model openai/gpt-5').waitFor()
    await page.getByRole('switch', { name: 'It may hide a real model' }).click()
    await page.getByRole('button', { name: 'Add alias' }).click()
    await page.getByRole('heading', { name: 'openai/gpt-5', level: 1 }).waitFor()
    expect((await stored(stage, 'taken'))?.targets[0]?.model).toBe('openai/gpt-5.4')
    expect(await stored(stage, 'openai/gpt-5')).toMatchObject({ shadow: true })
    await closeCleanly(tab)
  })

  test('a star at the end is explained, and retires at a date with a replacement', async () => {
    await put(stage, 'new-name')
    await put(stage, 'old-*')
    const tab = await stage.openAs('/aliases', { theme: 'dark', width: 390 })
    const { page } = tab
    await page.getByRole('link', { name: 'old-*' }).click()
    await page.getByText('every other name that begins with').waitFor()
    await page.getByText('Retirement', { exact: true }).click()
    await page.getByLabel('Retires').fill('2099-01-31T12:00')
    await page.getByLabel('Replaced by').fill('new-name')
    expect(await axeFindings(tab)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Retires in').first().waitFor()
    const alias = await stored(stage, 'old-*')
    expect(alias).toMatchObject({ replaced_by: 'new-name' })
    expect(alias?.expires_at).toStartWith('2099-01-31T')
    await closeCleanly(tab)
  })

  test('an edit keeps what the form does not show', async () => {
    await put(stage, 'kept', { params: { temperature: 0.2 }, listed: false, expires_at: '2098-05-06T07:08:09Z' })
    const tab = await stage.openAs('/aliases/one?alias=kept')
    const { page } = tab
    await page.getByRole('switch', { name: 'Use target 1' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    expect(await stored(stage, 'kept')).toMatchObject({
      params: { temperature: 0.2 },
      listed: false,
      expires_at: '2098-05-06T07:08:09.000Z',
      targets: [{ model: 'demo/echo', enabled: false }],
    })
    await closeCleanly(tab)
  })

  test('one that a chain names is not deleted before the chain lets go of it', async () => {
    await put(stage, 'held')
    const chain = await stage.server.call<{ id: string }>('POST', '/v1/chains', {
      name: 'Holder',
      steps: [{ model: 'held' }],
    })
    const tab = await stage.openAs('/aliases/one?alias=held')
    const { page } = tab
    await page.getByRole('button', { name: 'More about this alias' }).click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: /Delete alias/ })
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('alert').getByText('the chain holder names it').waitFor()
    await stage.server.call('DELETE', `/v1/chains/${chain.id}`)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Aliases', level: 1 }).waitFor()
    expect(await stored(stage, 'held')).toBeUndefined()
    await closeCleanly(tab)
  })
})
