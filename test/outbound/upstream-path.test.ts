import { expect, test } from 'bun:test'
import { chatPathOf, pathBelow } from '../../src/outbound/upstream.ts'

const dialect = { chatPath: () => '/responses' }

test('what lies below the path of a chat follows the host’s own, in front of its query', () => {
  const below = (paths: object): string => pathBelow(chatPathOf({ paths }, dialect, 'a b', false), '/compact')
  expect(below({})).toBe('/responses/compact')
  expect(below({ chat: '/deployments/{model}/responses?api-version=1' })).toBe(
    '/deployments/a%20b/responses/compact?api-version=1',
  )
})
