/** Tools that only another vendor runs: an offer is left out and named, a demand is refused. */
import { describe, expect, test } from 'bun:test'
import { makeApp, type AppOptions } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { anthropicReply, chatReply } from '../support/provider-bodies.ts'

const SHELL = { type: 'function', name: 'shell', parameters: { type: 'object', properties: {} } }
const SEARCH = { type: 'web_search', external_web_access: true }
const FIND = { type: 'tool_search', execution: 'client' }

async function ask(model: string, more: object, settings: AppOptions = {}) {
  await using app = await makeApp(settings)
  app.upstream('anthropic').played.otherwise(json(anthropicReply('done')))
  app.upstream('openai').played.otherwise(json(chatReply('done')))
  const { status, headers, body } = await app.ask('/v1/responses', { body: { model, input: 'go', ...more } })
  const [sent] = [...app.upstream('anthropic').played.requests, ...app.upstream('openai').played.requests]
  return { status, dropped: headers.get('x-gateway-dropped'), param: body.error?.param, sent: sent?.json<object>() }
}

const MODEL = 'anthropic/claude-haiku-4-5'

describe('a search that the target does not have', () => {
  test('is left out where it was only offered, and named', async () => {
    const { status, dropped, sent } = await ask(MODEL, {
      tools: [SHELL, { type: 'file_search', vector_store_ids: [] }, FIND],
    })
    expect({ status, dropped }).toEqual({ status: 200, dropped: 'tools.file_search,tools.tool_search' })
    expect(sent).toMatchObject({ tools: [{ name: 'shell' }] })
    expect(JSON.stringify(sent)).not.toContain('file_search')
  })

  test('is refused where it is demanded', async () => {
    const { status } = await ask(MODEL, { tools: [FIND], tool_choice: 'required' })
    expect(status).toBe(400)
  })

  test('is refused where the owner wants no hint to be lost', async () => {
    const strict = { settings: { routing: { strict_params: true } } }
    const { status, param } = await ask(MODEL, { tools: [SHELL, FIND] }, strict)
    expect({ status, param }).toEqual({ status: 400, param: 'tools.tool_search' })
  })
})

test('a tool that does something is refused although it was only offered', async () => {
  const { status, param } = await ask(MODEL, {
    tools: [SHELL, SEARCH, { type: 'code_interpreter', container: { type: 'auto' } }],
  })
  expect({ status, param }).toEqual({ status: 400, param: 'tools.2' })
})
