import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { decodeDocument, encodeDocument } from '../../../src/resources/skills/document.ts'
import { skillProblems } from '../../../src/resources/skills/skill.ts'

/** Any text that a skill may hold: every character but halves of one. */
const text = (maxLength: number) => fc.string({ unit: 'binary', maxLength })
const nasty = fc.constantFrom(
  '\r',
  '\n',
  '\r\n',
  '---',
  '---\n',
  '\ufeff',
  '\u2028',
  '\u0085',
  '"',
  "'",
  '\\',
  ': ',
  '#',
  '\t',
  '\0',
  '&a',
  '*a',
)
const texts = (maxLength: number) => fc.array(fc.oneof(text(8), nasty), { maxLength }).map((parts) => parts.join(''))

describe('a document', () => {
  test('parses back to the skill that it was made from, whatever its texts hold', () => {
    fc.assert(
      fc.property(texts(4), texts(12), texts(40), (name, description, content) => {
        const skill = { name, description, content }
        expect(decodeDocument(encodeDocument(skill))).toEqual({ ok: true, value: skill })
      }),
      { numRuns: 2_000 },
    )
  })

  test('has front matter with exactly name and description', () => {
    const served = encodeDocument({ name: 'Tone', description: 'How we "speak"', content: 'Be kind.\n' })
    expect(served).toBe('---\nname: "Tone"\ndescription: "How we \\"speak\\""\n---\nBe kind.\n')
  })

  for (const [name, document, skill] of [
    ['without quotes', '---\nname: tone\ndescription: Speak kindly\n---\nBody', ['tone', 'Speak kindly', 'Body']],
    ['with Windows line ends', '---\r\nname: a\r\ndescription: b\r\n---\r\nBody\r\n', ['a', 'b', 'Body\r\n']],
    ['with a byte order mark', '\ufeff---\nname: a\ndescription: b\n---\nBody', ['a', 'b', 'Body']],
    ['with block texts', '---\nname: a\ndescription: |\n  one\n  two\n---\nBody', ['a', 'one\ntwo\n', 'Body']],
    ['with fields of other programs', '---\nname: a\nlicense: MIT\ntags: [x]\ndescription: b\n---\n', ['a', 'b', '']],
    ['with fences in its body', '---\nname: a\ndescription: b\n---\n---\nmore\n---\n', ['a', 'b', '---\nmore\n---\n']],
  ] as const) {
    test(`${name} is read`, () => {
      const [expected, description, content] = skill
      expect(decodeDocument(document)).toEqual({ ok: true, value: { name: expected, description, content } })
    })
  }
})

describe('what is refused, with its line', () => {
  const bad: readonly [string, string, number, string][] = [
    ['no front matter', 'Just text', 1, 'begin with'],
    ['an empty document', '', 1, 'begin with'],
    ['a JavaScript fence', '---js\n({ name: process.exit() })\n---\n', 1, 'without a language'],
    ['a spaced language', '--- javascript\nname: a\n---\n', 1, 'without a language'],
    ['a YAML tag on the fence', '---yaml\nname: a\n---\n', 1, 'without a language'],
    ['a fence that is never closed', '---\nname: a\n', 1, 'never closed'],
    ['a closing fence with more on it', '---\nname: a\ndescription: b\n--- end\n', 4, 'exactly ---'],
    ['front matter over 64 KB', `---\nname: ${'x'.repeat(66_000)}\n---\n`, 1, '64 KB'],
    ['a number for a name', '---\ndescription: b\nname: 123\n---\n', 3, 'quotes'],
    ['a list for a description', '---\nname: a\ndescription: [b]\n---\n', 3, 'a list'],
    ['no name', '---\ndescription: b\n---\n', 1, 'no name'],
    ['an empty name', '---\nname:\ndescription: b\n---\n', 2, 'empty'],
    ['the name twice', '---\nname: a\ndescription: b\nname: c\n---\n', 4, 'twice'],
    ['broken YAML', '---\nname: a\ndescription: [b\nx: }\n---\n', 3, 'not valid YAML'],
    ['a tab as indentation', '---\nname: a\n\tdescription: b\n---\n', 3, 'not valid YAML'],
    ['an anchor', '---\nname: &x a\ndescription: *x\n---\n', 2, 'anchors'],
    ['two YAML documents', '---\nname: a\n...\nname: b\n---\n', 2, 'one YAML document'],
    ['a list', '---\n- name\n---\n', 2, 'one YAML document'],
    ['only a comment', '---\n# nothing\n---\n', 1, 'no fields'],
  ]
  for (const [name, document, line, message] of bad) {
    test(name, () => {
      const decoded = decodeDocument(document)
      expect(decoded.ok).toBe(false)
      if (!decoded.ok)
        expect([decoded.error.line, decoded.error.message]).toEqual([line, expect.stringContaining(message)])
    })
  }

  test('the same text twice is refused twice: nothing is cached', () => {
    const document = '---\nname: 123\ndescription: b\n---\n'
    expect(decodeDocument(document)).toEqual(decodeDocument(document))
    expect(decodeDocument(document).ok).toBe(false)
  })

  test('nothing of a document is run or reaches a prototype', () => {
    decodeDocument('---\n__proto__: {polluted: yes}\nname: !!js/function "a"\ndescription: b\n---\n')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

test('the bounds of a skill are told by field', () => {
  expect(skillProblems({ name: 'n', description: '', content: 'c' })).toEqual({})
  expect(Object.keys(skillProblems({ name: ' ', description: 'd'.repeat(1_025), content: '' }))).toEqual([
    'name',
    'description',
    'content',
  ])
  expect(Object.keys(skillProblems({ name: 'a\nb', description: '', content: 'é'.repeat(140_000) }))).toEqual([
    'name',
    'content',
  ])
  expect(Object.keys(skillProblems({ name: 'a', description: '\ud800', content: 'c' }))).toEqual(['description'])
})
