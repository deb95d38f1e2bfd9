/** What is done to bytes that pass through: only splices, and nothing else moves. */
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { applySplices, scanObject, type ScannedObject } from '../../../src/core/json-scan.ts'
import { openaiChat } from '../../../src/dialects/openai-chat/index.ts'

function scanned(body: string): ScannedObject {
  const object = scanObject(Buffer.from(body))
  if (!object.ok) throw new Error(object.error.message)
  return object.value
}

function appended(body: string, text: string): string {
  const object = scanned(body)
  const splices = openaiChat.appendSystem(object, text)
  return splices.ok
    ? Buffer.from(applySplices(object.bytes, splices.value)).toString()
    : `${splices.error.kind} ${splices.error.param}`
}

describe('appending to the system prompt', () => {
  const user = '{"role":"user","content":"hi"}'
  const cases: readonly (readonly [string, string, string])[] = [
    [
      'a string, before its closing quote',
      `{"messages": [{"role":"system", "content" : "Be \\u00fcber."}, ${user}], "seed":1.0}`,
      `{"messages": [{"role":"system", "content" : "Be \\u00fcber.\\n\\nS \\"1\\""}, ${user}], "seed":1.0}`,
    ],
    [
      'the last of several',
      `{"messages":[{"role":"system","content":"a"},{"content":"b","role":"developer"},${user},{"role":"system","content":"c"}]}`,
      `{"messages":[{"role":"system","content":"a"},{"content":"b\\n\\nS \\"1\\"","role":"developer"},${user},{"role":"system","content":"c"}]}`,
    ],
    [
      'an empty string',
      '{"messages":[{"role":"system","content":""}]}',
      '{"messages":[{"role":"system","content":"S \\"1\\""}]}',
    ],
    [
      'parts',
      '{"messages":[{"role":"system","content":[ {"type":"text","text":"a"} ]}]}',
      '{"messages":[{"role":"system","content":[ {"type":"text","text":"a"} ,{"type":"text","text":"S \\"1\\""}]}]}',
    ],
    [
      'no parts',
      '{"messages":[{"role":"system","content":[]}]}',
      '{"messages":[{"role":"system","content":[{"type":"text","text":"S \\"1\\""}]}]}',
    ],
    [
      'content null',
      '{"messages":[{"role":"system","content":null}]}',
      '{"messages":[{"role":"system","content":"S \\"1\\""}]}',
    ],
    ['no content', '{"messages":[{"role":"system"}]}', '{"messages":[{"role":"system","content":"S \\"1\\""}]}'],
    ['no system message', `{"messages":[ ${user}]}`, `{"messages":[ {"role":"system","content":"S \\"1\\""},${user}]}`],
    ['no messages yet', '{"messages":[ ]}', '{"messages":[ {"role":"system","content":"S \\"1\\""}]}'],
    ['messages null', '{"messages":null}', '{"messages":[{"role":"system","content":"S \\"1\\""}]}'],
    ['nothing at all', '{}', '{"messages":[{"role":"system","content":"S \\"1\\""}]}'],
    ['messages of a wrong type', '{"messages":"hi"}', 'malformed messages'],
    ['content of a wrong type', '{"messages":[{"role":"system","content":5}]}', 'malformed messages.0.content'],
    [
      'a doubled key: the one that a parser takes',
      '{"messages":[{"role":"system","content":"a","content":"b"}]}',
      '{"messages":[{"role":"system","content":"a","content":"b\\n\\nS \\"1\\""}]}',
    ],
  ]
  for (const [name, before, after] of cases) test(name, () => expect(appended(before, 'S "1"')).toBe(after))

  test('any text arrives whole, and everything else stays', () => {
    const content = fc.oneof(fc.string(), fc.array(fc.string().map((text) => ({ type: 'text', text }))))
    const message = fc.record({ role: fc.constantFrom('system', 'developer', 'user', 'assistant'), content })
    fc.assert(
      fc.property(fc.array(message), fc.string({ minLength: 1, unit: 'binary' }), (messages, text) => {
        const after = JSON.parse(appended(JSON.stringify({ model: 'm', messages }), text)) as {
          messages: typeof messages
        }
        const before = openaiChat.decodeRequest({ model: 'm', messages: [...messages, USER] }, new Headers())
        const now = openaiChat.decodeRequest({ model: 'm', messages: [...after.messages, USER] }, new Headers())
        if (!before.ok || !now.ok) throw new Error('both must decode')
        const said = now.value.system.map((part) => part.text).join('\n\n')
        expect(said.endsWith(text)).toBe(true)
        expect(now.value.messages).toEqual(before.value.messages)
      }),
      { numRuns: 200 },
    )
  })
})

const USER = { role: 'user', content: 'hi' }

describe('asking for usage', () => {
  const cases: readonly (readonly [string, string, string, boolean])[] = [
    ['no stream', '{"model":"m"}', '{"model":"m"}', false],
    ['a stream switched off', '{"stream":false}', '{"stream":false}', false],
    ['no options', '{"stream":true}', '{"stream":true,"stream_options":{"include_usage":true}}', true],
    [
      'options null',
      '{"stream":true,"stream_options":null}',
      '{"stream":true,"stream_options":{"include_usage":true}}',
      true,
    ],
    [
      'empty options',
      '{"stream":true,"stream_options":{}}',
      '{"stream":true,"stream_options":{"include_usage":true}}',
      true,
    ],
    [
      'other options',
      '{"stream_options":{"include_obfuscation":false},"stream":true}',
      '{"stream_options":{"include_obfuscation":false,"include_usage":true},"stream":true}',
      true,
    ],
    [
      'switched off',
      '{"stream":true,"stream_options":{"include_usage": false }}',
      '{"stream":true,"stream_options":{"include_usage": true }}',
      true,
    ],
    [
      'switched on: nothing to do',
      '{"stream":true,"stream_options":{"include_usage":true}}',
      '{"stream":true,"stream_options":{"include_usage":true}}',
      false,
    ],
    [
      'options of a wrong type are for the host to refuse',
      '{"stream":true,"stream_options":5}',
      '{"stream":true,"stream_options":5}',
      false,
    ],
  ]
  for (const [name, before, after, added] of cases) {
    test(name, () => {
      const object = scanned(before)
      const asked = openaiChat.passThrough.askForUsage(object)
      expect(Buffer.from(applySplices(object.bytes, asked.splices)).toString()).toBe(after)
      expect(asked.added).toBe(added)
    })
  }
})

test('no credential of the client goes on to a host', () => {
  const secret = ['authorization', 'x-api-key', 'api-key', 'cookie', 'openai-organization', 'openai-project', 'host']
  expect(openaiChat.passThrough.forwardedHeaders.filter((name) => secret.includes(name))).toEqual([])
  expect(openaiChat.passThrough.forwardedHeaders.filter((name) => name !== name.toLowerCase())).toEqual([])
})
