import { describe, expect, test } from 'bun:test'
import { compare } from '../../src/web/pages/audit/differences.ts'

describe('what an audit entry has changed', () => {
  test('names the fields that differ, inner ones by their path, and counts the others', () => {
    const before = { name: 'a', limits: { rpm: 10, tpm: null }, tags: ['x', 'y'], version: 1, updated_at: 'then' }
    const after = { name: 'a', limits: { rpm: 20, tpm: null }, tags: [], version: 2, updated_at: 'now' }
    expect(compare(before, after)).toEqual({
      differences: [
        { path: 'limits.rpm', before: '10', after: '20' },
        { path: 'tags', before: 'x, y', after: 'none' },
      ],
      unchanged: 2,
    })
  })

  test('something new has no fields before, something deleted none after', () => {
    expect(compare(null, { name: 'a' }).differences).toEqual([{ path: 'name', before: undefined, after: 'a' }])
    expect(compare({ name: 'a' }, null).differences).toEqual([{ path: 'name', before: 'a', after: undefined }])
  })

  test('nothing recorded is no difference', () => {
    expect(compare(null, null)).toEqual({ differences: [], unchanged: 0 })
  })
})
