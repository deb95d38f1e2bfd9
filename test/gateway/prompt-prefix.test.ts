import { describe, expect, test } from 'bun:test'
import { scanObject } from '../../src/core/json-scan.ts'
import { promptPrefix } from '../../src/gateway/prompt-prefix.ts'

function prefix(body: object, conversation = 'messages'): string | null {
  const scanned = scanObject(Buffer.from(JSON.stringify(body)))
  if (!scanned.ok) throw new Error(scanned.error.message)
  return promptPrefix(scanned.value, conversation)
}

const user = (content: unknown) => ({ role: 'user', content })
const system = { role: 'system', content: 'You are brief.' }
const later = [{ role: 'assistant', content: 'Hi.' }, user('And now?')]

describe('requests of one conversation begin alike', () => {
  const same: readonly (readonly [string, object, object, string?])[] = [
    ['later turns', { messages: [user('a')] }, { messages: [user('a'), ...later] }],
    [
      'later turns behind a system prompt',
      { messages: [system, user('a')] },
      { messages: [system, user('a'), ...later] },
    ],
    ['other parameters', { messages: [user('a')], model: 'x' }, { messages: [user('a')], model: 'y', temperature: 1 }],
    [
      'moved marks of the cache',
      { system: 's', messages: [user([{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }])] },
      { system: 's', messages: [user([{ type: 'text', text: 'a' }])] },
    ],
    [
      'what follows the first 8 KB',
      { messages: [user(`${'x'.repeat(8_192)}a`)] },
      { messages: [user(`${'x'.repeat(8_192)}b`)] },
    ],
    ['Gemini', { contents: [user('a')] }, { contents: [user('a'), ...later] }, 'contents'],
  ]
  for (const [name, one, other, conversation] of same)
    test(name, () => expect(prefix(one, conversation)).toBe(prefix(other, conversation)))

  const different: readonly (readonly [string, object, object, string?])[] = [
    ['another first turn', { messages: [user('a')] }, { messages: [user('b')] }],
    [
      'another first turn behind one system prompt',
      { messages: [system, user('a')] },
      { messages: [system, user('b')] },
    ],
    ['another system prompt', { system: 's', messages: [user('a')] }, { system: 't', messages: [user('a')] }],
    ['other instructions', { instructions: 's', input: 'a' }, { instructions: 't', input: 'a' }, 'input'],
    ['a text for a conversation', { input: 'a' }, { input: 'b' }, 'input'],
  ]
  for (const [name, one, other, conversation] of different)
    test(`${name} is another one`, () => expect(prefix(one, conversation)).not.toBe(prefix(other, conversation)))

  test('nothing to tell by is told as nothing', () => {
    expect([prefix({}), prefix({ messages: [] })]).toEqual([null, null])
  })
})
