import { describe, expect, test } from 'bun:test'
import type { Quirks } from '../../../src/catalog/provider.ts'
import { applySplices, scanObject, type ScannedObject } from '../../../src/core/json-scan.ts'
import { anthropicMessages } from '../../../src/dialects/anthropic-messages/index.ts'
import { CAPABLE } from '../samples/sample.ts'

function scan(text: string): ScannedObject {
  const scanned = scanObject(Buffer.from(text))
  if (!scanned.ok) throw new Error(scanned.error.message)
  return scanned.value
}

/** The body as the host gets it, or the field for which the request is refused. */
function hosted(body: object, quirks: Quirks, headers: Readonly<Record<string, string>> = {}) {
  const object = scan(JSON.stringify(body))
  const edits = anthropicMessages.hostEdits?.(object, quirks, new Headers(headers))
  if (edits === undefined || !edits.ok) return { refused: edits?.error.param }
  const text = Buffer.from(applySplices(object.bytes, edits.value.splices)).toString()
  return { body: JSON.parse(text), dropped: edits.value.dropped, headers: edits.value.headers }
}

const BODY = { model: 'm', max_tokens: 1, stream: true, messages: [] }

test('a host without oddities gets the body as it is', () => {
  expect(hosted(BODY, {}, { 'anthropic-beta': 'a' })).toEqual({ body: BODY, dropped: [], headers: [] })
})

describe('the body', () => {
  test('lacks what the path says and has what it must have', () => {
    const quirks = { modelInPath: true, streamInPath: true, bodyFields: { anthropic_version: 'v' } }
    expect(hosted(BODY, quirks).body).toEqual({ anthropic_version: 'v', max_tokens: 1, messages: [] })
  })

  test('keeps the version that the client itself gives', () => {
    const body = { ...BODY, anthropic_version: 'own' }
    expect(hosted(body, { bodyFields: { anthropic_version: 'v' } }).body).toEqual(body)
  })

  test('lacks hints that the host refuses, which are named', () => {
    const quirks = { stripFields: ['service_tier', 'speed'] }
    expect(hosted({ ...BODY, service_tier: 'auto' }, quirks)).toMatchObject({ body: BODY, dropped: ['service_tier'] })
  })

  test('is refused for what would change the answer', () => {
    expect(hosted({ ...BODY, mcp_servers: [] }, { refusedFields: ['mcp_servers'] })).toEqual({ refused: 'mcp_servers' })
  })
})

describe('betas', () => {
  const CASES: readonly (readonly [
    name: string,
    quirks: Quirks,
    body: object,
    header: string | undefined,
    seen: object,
  ])[] = [
    [
      'go into the body',
      { betasInBody: true },
      {},
      'a, b',
      { body: { anthropic_beta: ['a', 'b'] }, headers: [['anthropic-beta', undefined]] },
    ],
    [
      'that the host does not know are left out of the body and named',
      { betasInBody: true, betasAllowed: ['a-*'] },
      { anthropic_beta: ['a-1', 'x'] },
      'a-2,a-1',
      { body: { anthropic_beta: ['a-2', 'a-1'] }, dropped: ['anthropic-beta'] },
    ],
    [
      'that the host does not know are left out of the header and named',
      { betasAllowed: ['a-*'] },
      {},
      'a-1,x',
      { headers: [['anthropic-beta', 'a-1']], dropped: ['anthropic-beta'] },
    ],
    [
      'of which none is left have no header',
      { betasAllowed: [] },
      {},
      'x',
      { headers: [['anthropic-beta', undefined]] },
    ],
  ]
  for (const [name, quirks, more, header, seen] of CASES) {
    test(name, () => {
      const headers = header === undefined ? {} : { 'anthropic-beta': header }
      expect(hosted({ ...BODY, ...more }, quirks, headers)).toMatchObject(seen)
    })
  }

  test('that nobody asks for are not written', () => {
    expect(hosted(BODY, { betasInBody: true, betasAllowed: [] }).body).toEqual(BODY)
  })
})

describe('tools', () => {
  const QUIRKS: Quirks = { toolFields: ['type', 'name', 'input_schema'], hostedTools: ['tool_search_tool_*'] }
  const withTools = (...tools: readonly object[]) => hosted({ ...BODY, tools }, QUIRKS)

  test('have only the members that the host knows, whatever stands inside their schemas', () => {
    const schema = { type: 'object', properties: { strict: { type: 'string' } } }
    const tool = { strict: true, name: 'f', input_schema: schema, defer_loading: true }
    expect(withTools(tool, { ...tool, type: 'custom' })).toMatchObject({
      body: {
        tools: [
          { name: 'f', input_schema: schema },
          { name: 'f', input_schema: schema, type: 'custom' },
        ],
      },
      dropped: ['tools.strict', 'tools.defer_loading'],
    })
  })

  test('of the vendor go to a host that has them, and are refused by their place elsewhere', () => {
    const search = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }
    expect(withTools(search)).toMatchObject({ body: { tools: [search] }, dropped: [] })
    expect(withTools(search, { type: 'web_search_20250305', name: 'web_search' })).toEqual({ refused: 'tools.1' })
    expect(hosted({ ...BODY, tools: [{ type: 'web_search_20250305', name: 'w' }] }, {}).dropped).toEqual([])
  })

  test('that the client runs go everywhere', () => {
    const bash = { type: 'bash_20250124', name: 'bash', other: 1 }
    expect(withTools(bash)).toMatchObject({ body: { tools: [bash] } })
  })

  test('of another shape are left to the host to refuse', () => {
    const body = { ...BODY, tools: ['x', null, [{}]] }
    expect(hosted(body, QUIRKS).body).toEqual(body)
    expect(hosted({ ...BODY, tools: 'all' }, QUIRKS).body).toEqual({ ...BODY, tools: 'all' })
  })
})

describe('media by address', () => {
  const unreadable = (body: object, quirks: Quirks) =>
    anthropicMessages.passThrough.holdsUnreadable?.(scan(JSON.stringify(body)), quirks)
  const image = { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }
  const asked = (...content: readonly object[]) => ({ ...BODY, messages: [{ role: 'user', content }] })

  test('cannot go on as they are to a host that reads none', () => {
    expect(unreadable(asked(image), { noUrlMedia: true })).toBe(true)
    expect(unreadable(asked(image), {})).toBe(false)
  })

  test('are not seen in words, nor in a tool that takes a URL', () => {
    const tools = [{ name: 'f', input_schema: { type: 'object', properties: { url: { type: 'string' } } } }]
    const words = { type: 'text', text: JSON.stringify(image) }
    expect(unreadable({ ...asked(words), tools }, { noUrlMedia: true })).toBe(false)
  })

  test('are fetched for such a host', () => {
    const target = { model: 'm', vendor: 'v', capabilities: CAPABLE }
    const takes = (quirks: Quirks) =>
      anthropicMessages.takesUrl('image', 'https://a.example/b.png', { ...target, quirks })
    expect([takes({}), takes({ noUrlMedia: true })]).toEqual([true, false])
  })
})
