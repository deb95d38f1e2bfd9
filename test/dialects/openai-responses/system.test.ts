import { expect, test } from 'bun:test'
import { applySplices, scanObject } from '../../../src/core/json-scan.ts'
import { appendSystem } from '../../../src/dialects/openai-responses/system.ts'

const TEXT = 'Be "brief".\nAlways.'
const DEVELOPER = JSON.stringify({ type: 'message', role: 'developer', content: TEXT })

function check(body: string): string {
  const scanned = scanObject(Buffer.from(body))
  if (!scanned.ok) throw new Error(scanned.error.message)
  const splices = appendSystem(scanned.value, TEXT)
  if (!splices.ok) return `${splices.error.kind} ${splices.error.param}`
  const edited = Buffer.from(applySplices(scanned.value.bytes, splices.value)).toString()
  if (edited !== '') JSON.parse(edited)
  return edited
}

const system = '{"role":"system","content":"s"}'
const developer = '{ "type":"message", "role":"developer","content":[{"type":"input_text","text":"d"}]}'
const user = '{"role":"user","content":"hi \\u00e9 1.0"}'
const quoted = JSON.stringify(TEXT)
const inner = quoted.slice(1, -1)

const CASES: readonly [name: string, body: string, expected: string][] = [
  [
    'instructions grow at their end',
    '{"instructions":"A","input":"x"}',
    `{"instructions":"A\\n\\n${inner}","input":"x"}`,
  ],
  ['an escaped quote before the end stays', '{"instructions":"A\\""}', `{"instructions":"A\\"\\n\\n${inner}"}`],
  ['empty instructions become the text', '{"instructions":""}', `{"instructions":${quoted}}`],
  [
    'a string input is wrapped around its own token',
    '{ "input" : "a\\u0062" }',
    `{ "input" : [${DEVELOPER},{"type":"message","role":"user","content":"a\\u0062"}] }`,
  ],
  [
    'null instructions count as none',
    '{"instructions":null,"input":"x"}',
    `{"instructions":null,"input":[${DEVELOPER},{"type":"message","role":"user","content":"x"}]}`,
  ],
  ['an item goes before the first turn', `{"input":[ ${user} ]}`, `{"input":[ ${DEVELOPER},${user} ]}`],
  [
    'an item goes after leading system items',
    `{"input":[${system}, ${developer} , ${user}]}`,
    `{"input":[${system}, ${developer} , ${DEVELOPER},${user}]}`,
  ],
  ['an item goes last when all are system items', `{"input":[${system}]}`, `{"input":[${system},${DEVELOPER}]}`],
  ['an empty list gets one item', '{"input":[]}', `{"input":[${DEVELOPER}]}`],
  ['later system items are not leading', `{"input":[${user},${system}]}`, `{"input":[${DEVELOPER},${user},${system}]}`],
  ['a body without input gets instructions', '{"prompt":{"id":"p"}}', `{"prompt":{"id":"p"},"instructions":${quoted}}`],
  [
    'a continued conversation keeps items: instructions instead',
    '{"previous_response_id":"resp_1","input":"x"}',
    `{"previous_response_id":"resp_1","input":"x","instructions":${quoted}}`,
  ],
  [
    'null instructions of a continued conversation are replaced',
    '{"conversation":{"id":"c"},"instructions":null,"input":[]}',
    `{"conversation":{"id":"c"},"instructions":${quoted},"input":[]}`,
  ],
  ['instructions of a wrong type are refused', '{"instructions":[],"input":"x"}', 'malformed instructions'],
  ['an input of a wrong type is refused', '{"input":3}', 'malformed input'],
]

for (const [name, body, expected] of CASES) test(name, () => expect(check(body)).toBe(expected))
