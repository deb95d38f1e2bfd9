/** Parameters that an operator gives an account: they are in every request that it serves. */
import { expect, test } from 'bun:test'
import { makeApp } from '../support/app.ts'
import { json } from '../support/plays.ts'
import { CHAT, MESSAGES, question } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT } from './upstreams.ts'

for (const [speaker, client] of [
  [ANTHROPIC, MESSAGES],
  [ANTHROPIC, CHAT],
  [OPENAI_CHAT, CHAT],
] as const) {
  test(`${client.name} → ${speaker.client.name}: whatever the client says, and only with this account`, async () => {
    await using app = await makeApp({ accounts: { [speaker.provider]: 2 } })
    const [first, second] = [app.upstream(speaker.provider, 0), app.upstream(speaker.provider, 1)]
    const path = `/v1/accounts/${first.accountId}`
    expect((await app.owner('PATCH', path, { params: { temperature: 0.25 } })).body.data.params).toEqual({
      temperature: 0.25,
    })
    first.played.play(json({ error: { type: 'api_error' } }, 500))
    second.played.play(json(speaker.reply('hi')))
    const { status } = await app.ask(client.path, question(client, speaker.model, { temperature: 1 }))
    const sent = [first, second].map(({ played }) => played.requests[0]?.json<{ temperature: number }>().temperature)
    expect({ status, sent }).toEqual({ status: 200, sent: [0.25, 1] })
  })
}

test('none, the request goes on as it came', async () => {
  await using app = await makeApp({ accounts: { anthropic: 1 } })
  const { played, accountId } = app.upstream('anthropic')
  for (const params of [{ temperature: 0.5 }, {}, null]) {
    expect((await app.owner('PATCH', `/v1/accounts/${accountId}`, { params })).status).toBe(200)
  }
  played.play(json(ANTHROPIC.reply('hi')))
  const body = `{ "model":"${ANTHROPIC.model}",  "max_tokens": 64, "messages":[{"role":"user","content":"hello"}], "x":1 }`
  expect((await app.ask(MESSAGES.path, { body })).status).toBe(200)
  expect(played.requests[0]?.text()).toBe(body.replace(ANTHROPIC.model, 'claude-haiku-4-5'))
})
