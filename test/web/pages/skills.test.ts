import { expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import type { Key, Skill } from '../../../src/web/wire.ts'
import {
  axeFindings,
  closeCleanly,
  describeInBrowser,
  focused,
  type Stage,
  type Tab,
  type Theme,
} from '../../support/browser.ts'

const LOOKS: readonly (readonly [Theme, number])[] = [
  ['light', 1440],
  ['dark', 390],
]
const DOCUMENT =
  '---\nname: sql-reviewer\ndescription: Reads a migration first\n---\n# SQL\n\nRead the migration first.\n'
const BROKEN = '---\nname: 7\ndescription: a number is no name\n---\ntext\n'

const skillOf = (stage: Stage, name: string, content = 'Write short sentences.'): Promise<Skill> =>
  stage.server.call<Skill>('POST', '/v1/skills', { name, description: `what ${name} says`, content })
const stored = (stage: Stage, id: string): Promise<Skill> => stage.server.call<Skill>('GET', `/v1/skills/${id}`)
const keyOf = (stage: Stage, name: string, skill: Skill): Promise<Key> =>
  stage.server.call<Key>('POST', '/v1/keys', { name, skill_ids: [skill.id] })
const upload = (tab: Tab, text: string): Promise<void> =>
  tab.page.getByLabel('SKILL.md', { exact: true }).setInputFiles({
    name: 'SKILL.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from(text),
  })
const dialogOf = ({ page }: Tab, name: string): Locator => page.getByRole('dialog', { name })

describeInBrowser('skills, empty', (stage) => {
  test('the list says what a skill is, and names the eight guides by addresses that answer', async () => {
    const tab = await stage.openAs('/skills')
    await tab.page.getByText('A skill is text added to the system prompt.').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    const guides = tab.page.getByRole('link', { name: /in a new tab$/ })
    expect(await guides.count()).toBe(8)
    for (const guide of await guides.all()) {
      const address = (await guide.getAttribute('href')) ?? ''
      expect((await fetch(address)).headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    }
    await closeCleanly(tab)
  })
})

describeInBrowser('skills', (stage) => {
  for (const [theme, width] of LOOKS) {
    test(`nothing that axe objects to on any page at ${width} px, ${theme}`, async () => {
      const skill = await skillOf(stage, `axe-${theme}-${width}`)
      await keyOf(stage, 'laptop', skill)
      const tab = await stage.openAs('/skills', { theme, width })
      await tab.page.getByRole('link', { name: skill.name }).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await tab.page.getByRole('link', { name: 'New skill' }).click()
      await tab.page.getByRole('textbox', { name: 'Content' }).waitFor()
      expect(await axeFindings(tab)).toEqual([])
      await tab.page.goto(`/skills/${skill.id}`)
      await tab.page.getByRole('link', { name: 'laptop' }).first().waitFor()
      expect(await axeFindings(tab)).toEqual([])
      expect(await tab.page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      await closeCleanly(tab)
    })
  }

  test('a skill is written, created and shown by keyboard alone', async () => {
    const tab = await stage.openAs('/skills')
    await tab.page.getByRole('heading', { name: 'Skills', exact: true }).waitFor()
    await tab.page.keyboard.press('n')
    await tab.page.waitForURL('**/skills/new')
    await tab.page.getByRole('textbox', { name: 'Name' }).focus()
    await tab.page.keyboard.type('written')
    await tab.page.keyboard.press('Tab')
    await tab.page.keyboard.type('By hand')
    await tab.page.keyboard.press('Tab')
    await tab.page.keyboard.type('12345678')
    await tab.page.getByText('≈ 2 tokens').waitFor()
    await tab.page.getByRole('button', { name: 'Create skill' }).press('Enter')
    await tab.page.getByRole('heading', { name: 'written' }).waitFor()
    await tab.page.getByText('created, switched off').waitFor()
    await tab.page.getByText('Off: no request carries it.').waitFor()
    await closeCleanly(tab)
  })

  test('what the server objects to stands beside its field, and what was typed stays', async () => {
    const tab = await stage.openAs('/skills/new')
    await tab.page.getByRole('textbox', { name: 'Description' }).fill('nameless')
    await tab.page.getByRole('button', { name: 'Create skill' }).click()
    await tab.page.getByText('2 fields need a change').waitFor()
    await tab.page.getByRole('link', { name: 'Name' }).click()
    const name = tab.page.getByRole('textbox', { name: 'Name' })
    await focused(tab, name)
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    expect(await axeFindings(tab)).toEqual([])
    expect(await tab.page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('nameless')
    await closeCleanly(tab)
  })

  test('a SKILL.md uploaded on the list fills the form, and nothing is saved before it is looked over', async () => {
    const tab = await stage.openAs('/skills')
    await upload(tab, DOCUMENT)
    await tab.page.getByText('Filled from SKILL.md. Look it over').waitFor()
    expect(await tab.page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('sql-reviewer')
    expect(await tab.page.getByRole('textbox', { name: 'Content' }).inputValue()).toContain('Read the migration first.')
    expect(await stage.server.call<Skill[]>('GET', '/v1/skills?q=sql-reviewer')).toEqual([])
    await tab.page.getByRole('button', { name: 'Create skill' }).click()
    await tab.page.getByRole('heading', { name: 'sql-reviewer' }).waitFor()
    await closeCleanly(tab)
  })

  test('a broken SKILL.md is refused with its line, and the next one is read', async () => {
    const tab = await stage.openAs('/skills/new')
    await upload(tab, BROKEN)
    await tab.page.getByRole('alert').getByText('Line 2: name must be text').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await upload(tab, DOCUMENT)
    await tab.page.getByText('Filled from SKILL.md. Look it over').waitFor()
    expect(await tab.page.getByRole('alert').count()).toBe(0)
    await closeCleanly(tab)
  })

  test('a file dropped on a skill replaces its text in the form alone, and that can be taken back', async () => {
    const skill = await skillOf(stage, 'dropped-on')
    const tab = await stage.openAs(`/skills/${skill.id}`)
    const content = tab.page.getByRole('textbox', { name: 'Content' })
    await content.waitFor()
    const files = await tab.page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(DOCUMENT)}], 'other.md', { type: 'text/markdown' }))
      return transfer
    })()`)
    await content.dispatchEvent('drop', { dataTransfer: files })
    await tab.page.getByText('Filled from other.md. Look it over').waitFor()
    expect(await content.inputValue()).toContain('Read the migration first.')
    expect((await stored(stage, skill.id)).content).toBe(skill.content)
    await tab.page.getByRole('button', { name: 'Undo' }).click()
    await tab.page.getByText('Filled from other.md. Look it over').waitFor({ state: 'detached' })
    expect(await content.inputValue()).toBe(skill.content)
    await closeCleanly(tab)
  })

  test('a change is saved, also after the skill was switched on meanwhile', async () => {
    const skill = await skillOf(stage, 'edited')
    const tab = await stage.openAs(`/skills/${skill.id}`)
    await tab.page.getByRole('textbox', { name: 'Content' }).fill('Write shorter sentences still.')
    await tab.page.getByText('+2 since it was saved').waitFor()
    await tab.page.getByRole('switch', { name: 'For everyone' }).click()
    await tab.page.getByText('Added to every request').waitFor()
    await tab.page.getByRole('button', { name: 'Save' }).click()
    await tab.page.getByText('The next request carries the new text.').waitFor()
    expect(await stored(stage, skill.id)).toMatchObject({ content: 'Write shorter sentences still.', enabled: true })
    await closeCleanly(tab)
  })

  test('somebody else’s change is not overwritten unseen', async () => {
    const skill = await skillOf(stage, 'contested')
    const tab = await stage.openAs(`/skills/${skill.id}`)
    const content = tab.page.getByRole('textbox', { name: 'Content' })
    await content.fill('mine')
    await stage.server.call('PATCH', `/v1/skills/${skill.id}`, { content: 'theirs' })
    await tab.page.getByRole('button', { name: 'Save' }).click()
    await tab.page.getByText('Somebody has changed this').waitFor()
    expect((await stored(stage, skill.id)).content).toBe('theirs')
    await tab.page.getByRole('button', { name: 'Show theirs' }).click()
    await tab.page.getByText('6 characters').waitFor()
    expect(await content.inputValue()).toBe('theirs')
    await closeCleanly(tab)
  })

  test('a switch in the list counts at once, and Undo takes it back', async () => {
    const skill = await skillOf(stage, 'switched')
    const tab = await stage.openAs('/skills?q=switched')
    const control = tab.page.getByRole('switch', { name: 'switched for everyone' })
    await control.click()
    await tab.page.getByText('Skill “switched” switched on').waitFor()
    expect((await stored(stage, skill.id)).enabled).toBe(true)
    await tab.page.getByRole('button', { name: 'Undo' }).click()
    await tab.page.locator('[role=switch][aria-checked=false]').waitFor()
    expect((await stored(stage, skill.id)).enabled).toBe(false)
    await closeCleanly(tab)
  })

  test('deleting names the keys that lose it, asks for its name, and the keys have lost it', async () => {
    const skill = await skillOf(stage, 'doomed')
    const key = await keyOf(stage, 'ci-bot', skill)
    const tab = await stage.openAs(`/skills/${skill.id}`)
    await tab.page.getByRole('link', { name: 'ci-bot' }).waitFor()
    const opener = tab.page.getByRole('button', { name: 'Delete this skill' })
    await opener.click()
    const dialog = dialogOf(tab, 'Delete skill “doomed”?')
    await dialog.getByText('The key ci-bot loses it, and goes on without it.').waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await tab.page.keyboard.press('Escape')
    await focused(tab, opener)
    await opener.click()
    await dialog.getByRole('textbox').fill('doomed')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await tab.page.getByText('Skill “doomed” deleted').waitFor()
    await tab.page.waitForURL('**/skills')
    expect((await stage.server.call<Key>('GET', `/v1/keys/${key.id}`)).skill_ids).toEqual([])
    await closeCleanly(tab)
  })

  test('what is typed survives a server that does not answer', async () => {
    const tab = await stage.openAs('/skills/new')
    const name = tab.page.getByRole('textbox', { name: 'Name' })
    await name.fill('patient')
    await tab.page.getByRole('textbox', { name: 'Content' }).fill('Wait for the server.')
    await tab.page.route('**/v1/skills', (route) => route.abort())
    await tab.page.getByRole('button', { name: 'Create skill' }).click()
    await tab.page.getByText('The gateway does not answer. Nothing was saved.').waitFor()
    expect(await name.inputValue()).toBe('patient')
    await tab.page.unroute('**/v1/skills')
    await tab.page.getByRole('button', { name: 'Create skill' }).click()
    await tab.page.getByRole('heading', { name: 'patient' }).waitFor()
    await closeCleanly(tab)
  })

  test('a search without a match says so and can be cleared', async () => {
    const tab = await stage.openAs('/skills?q=nobody-has-this')
    await tab.page.getByText('No skill matches “nobody-has-this”').waitFor()
    await tab.page.getByRole('button', { name: 'Clear the search' }).click()
    await tab.page.getByRole('table', { name: 'Skills' }).waitFor()
    await closeCleanly(tab)
  })

  test('a skill that is gone says so, with a way to ask again', async () => {
    const tab = await stage.openAs('/skills/skl_gone')
    await tab.page.getByText('This skill could not be read').waitFor()
    await tab.page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await axeFindings(tab)).toEqual([])
    await closeCleanly(tab)
  })
})
