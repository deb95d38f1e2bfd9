import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { cohereV2 } from '../../../src/dialects/cohere-v2/index.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import { firstViolation } from '../../support/validator.ts'
import { replyContext } from '../samples/wire.ts'
import { cutsOf, decodeAll, framesOf } from '../streams.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/cohere-v2')
const NAMES = readdirSync(FIXTURES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)

function decode(...chunks: readonly Uint8Array[]) {
  return decodeAll(cohereV2, framesOf('sse', ...chunks), replyContext('cohere'))
}

for (const name of NAMES) {
  const read = (file: string): string => readFileSync(join(FIXTURES, name, file), 'utf8')
  const stream = Buffer.from(read('stream.txt'))
  const neutral = JSON.parse(read('neutral.json'))

  test(`${name}: the stream folds to its neutral reply, by legal events`, () => {
    expect(foldEvents(decode(stream))).toEqual({ ok: true, value: neutral })
    expect(firstViolation(decode(stream))).toBeUndefined()
  })

  test(`${name}: the plain reply decodes to the same`, () => {
    expect(cohereV2.decodeReply(JSON.parse(read('reply.json')), replyContext('cohere'))).toEqual({
      ok: true,
      value: neutral,
    })
  })

  test(`${name}: where the network cuts the bytes never matters`, () => {
    const whole = decode(stream)
    fc.assert(fc.property(cutsOf(stream), (chunks) => void expect(decode(...chunks)).toEqual(whole)))
  })

  test(`${name}: a stream that stops early is never taken for a whole one`, () => {
    const text = stream.toString()
    for (let at = text.indexOf('\n\n'); at >= 0 && at + 2 < text.length; at = text.indexOf('\n\n', at + 2)) {
      const events = decode(Buffer.from(text.slice(0, at + 2)))
      expect(events.at(-2)?.type).toBe('failure')
      expect(firstViolation(events)).toBeUndefined()
    }
  })
}
