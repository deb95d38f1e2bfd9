import { beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings, closeCleanly, describeInBrowser } from '../../support/browser.ts'
import { ask, newKey } from '../../support/gateway-calls.ts'

setDefaultTimeout(20_000)

describeInBrowser('the console', (stage) => {
  const write = (message: string, fields = {}) => stage.server.app.log.write('warn', 'router', message, fields)

  beforeEach(() => write('said before'))

  test('shows what was said before, and each event as it comes', async () => {
    const tab = await stage.openAs('/console')
    await tab.page.getByText('Said before').first().waitFor()
    write('said now', { attempts: 3 })
    const first = tab.page.getByRole('region', { name: 'Events, newest first' }).getByRole('listitem').first()
    await first.filter({ hasText: /Warning[\s\S]*router[\s\S]*Said now[\s\S]*attempts 3/ }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })

  test('leads from an event to the request that it is about', async () => {
    const id = await ask(stage.server, await newKey(stage.server, 'laptop'), 'demo/echo')
    write('attempt failed', { request: id })
    const tab = await stage.openAs('/console')
    await tab.page.getByRole('link', { name: /^Request req_/ }).click()
    await tab.page.getByRole('heading', { name: 'Answered' }).waitFor()
    await closeCleanly(tab)
  })

  test('holds still while it is paused, and shows what came when asked', async () => {
    const tab = await stage.openAs('/console')
    await tab.page.getByRole('listitem').first().waitFor()
    await tab.page.getByRole('button', { name: 'Live' }).click()
    write('while you read')
    const pill = tab.page.getByRole('button', { name: '1 new' })
    await pill.waitFor()
    expect(await tab.page.getByText('While you read').count()).toBe(0)
    await pill.click()
    await tab.page.getByText('While you read').waitFor()
    await closeCleanly(tab)
  })

  test('is narrowed down by level, source and text, all of them in the address', async () => {
    stage.server.app.log.write('error', 'db', 'the disk is full')
    const tab = await stage.openAs('/console?source=db')
    await tab.page.getByText('The disk is full').waitFor()
    await tab.page.getByRole('button', { name: 'Filter', exact: true }).click()
    await tab.page.getByRole('button', { name: 'Level' }).click()
    await tab.page.getByRole('button', { name: 'Errors alone' }).click()
    await tab.page.waitForURL(/level=error/)
    await tab.page.getByText('The disk is full').waitFor()
    await tab.page.getByRole('searchbox').fill('no event says this')
    await tab.page.getByText('No events with these filters').waitFor()
    await tab.page.getByRole('button', { name: 'Clear the filters' }).click()
    await tab.page.getByText('Said before').first().waitFor()
    await closeCleanly(tab)
  })

  test('says why it cannot be read, and is there again by itself', async () => {
    const tab = await stage.openAs('/profile')
    await tab.page.route('**/v1/console?*', (route) =>
      route.fulfill({ status: 500, json: { message: 'something went wrong here' } }),
    )
    await tab.page.getByRole('link', { name: 'Console' }).click()
    await tab.page.getByText('The console could not be read').waitFor()
    await tab.page.unroute('**/v1/console?*')
    await tab.page.getByText('Said before').first().waitFor()
    await closeCleanly(tab)
  })

  test('is cleared after saying what that does, and the audit log keeps that it was', async () => {
    const tab = await stage.openAs('/console', { theme: 'dark', width: 390 })
    await tab.page.getByText('Said before').first().waitFor()
    await tab.page.getByRole('button', { name: 'Clear' }).click()
    const dialog = tab.page.getByRole('dialog', { name: 'Clear the console?' })
    await dialog.getByText('stays in the audit log').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.route('**/v1/console', (route) =>
      route.fulfill({ status: 503, json: { message: 'the audit log cannot be written' } }),
    )
    await dialog.getByRole('button', { name: 'Clear' }).click()
    await dialog.getByText('The audit log cannot be written.').waitFor()
    await tab.page.unroute('**/v1/console')
    await dialog.getByRole('button', { name: 'Clear' }).click()
    await tab.page.getByText('No events yet').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.goto('/audit')
    await tab.page.getByText('Cleared the console').waitFor()
    await closeCleanly(tab)
  })
})
