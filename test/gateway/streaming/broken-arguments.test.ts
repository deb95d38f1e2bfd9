import { expect, test } from 'bun:test'
import { NO_USAGE } from '../../../src/core/usage.ts'
import type { ChatReply, Finish, ToolCallPart } from '../../../src/dialects/neutral.ts'
import { brokenCallsIn } from '../../../src/gateway/streaming/broken-arguments.ts'

function check(
  argumentsText: string,
  kind: ToolCallPart['kind'] = 'function',
  reason: Finish['reason'] = 'tool-calls',
) {
  const call: ToolCallPart = { type: 'tool-call', id: 'c', name: 'f', kind, argumentsText }
  const reply: ChatReply = { parts: [{ type: 'text', text: '{' }, call], finish: { reason }, usage: NO_USAGE }
  return brokenCallsIn(reply)
}

test('a call of a plain answer counts as broken when its arguments are no JSON and nothing says why', () => {
  expect(check('{"a":')).toBe(1)
  expect(check('{"a":1}')).toBe(0)
  expect(check(' ')).toBe(0)
  expect(check('oops', 'custom')).toBe(0)
  expect(check('{"a":', 'function', 'length')).toBe(0)
})
