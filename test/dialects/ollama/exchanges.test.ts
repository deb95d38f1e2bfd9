import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type { JsonObject } from '../../../src/core/json.ts'
import { scanObject } from '../../../src/core/json-scan.ts'
import { foldEvents } from '../../../src/dialects/answer/fold.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import { ollama } from '../../../src/dialects/ollama/index.ts'
import { clientContext, replyContext } from '../samples/wire.ts'
import { cutAt, decodeAll, framesOf } from '../streams.ts'
import { rendered } from './support.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/ollama')
const NAMES = readdirSync(FIXTURES, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)
const CONTEXT = () => replyContext('ollama')

function text(name: string, file: string): string {
  return readFileSync(join(FIXTURES, name, file), 'utf8')
}

function decode(...chunks: readonly Uint8Array[]) {
  return decodeAll(ollama, framesOf('ndjson', ...chunks), CONTEXT())
}

/** Servers give some calls no id; what is made for them is none of the fixture's business. */
function withoutMadeIds({ parts, ...reply }: ChatReply): object {
  const made = (id: string): string => (/^call_[0-9A-Za-z]{24}$/.test(id) ? '<made>' : id)
  return { ...reply, parts: parts.map((part) => (part.type === 'tool-call' ? { ...part, id: made(part.id) } : part)) }
}

for (const name of NAMES) {
  const stream = Buffer.from(text(name, 'stream.txt'))
  const neutral: object = JSON.parse(text(name, 'neutral.json'))
  const plain: JsonObject = JSON.parse(text(name, 'reply.json'))

  test(`${name}: the stream folds to its neutral reply`, () => {
    const folded = foldEvents(decode(stream))
    expect(folded.ok && withoutMadeIds(folded.value)).toEqual(neutral)
  })

  test(`${name}: the plain reply decodes to the same`, () => {
    const reply = ollama.decodeReply(plain, CONTEXT())
    expect(reply.ok && withoutMadeIds(reply.value)).toEqual(neutral)
  })

  test(`${name}: where the network cuts the bytes never matters`, () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (places) => {
        expect(decode(...cutAt(stream, places))).toEqual(decode(stream))
      }),
    )
    expect(decode(...[...stream].map((byte) => Uint8Array.of(byte)))).toEqual(decode(stream))
  })

  test(`${name}: rendered for a client and read again it is the same reply`, () => {
    const lines = rendered(decode(stream)).map((line) => `${JSON.stringify(line)}\n`)
    const again = foldEvents(decode(Buffer.from(lines.join(''))))
    const { model: _, ...expected } = neutral as ChatReply
    const { model: asAsked, ...said } = (again.ok ? withoutMadeIds(again.value) : {}) as ChatReply
    expect(said as object).toEqual(expected)
    expect(asAsked).toBe(clientContext().model)
  })

  test(`${name}: a watcher sees the content, the figures and the end that a decoder sees`, () => {
    const watcher = ollama.passThrough.streamWatcher(CONTEXT(), false)
    const seen = framesOf('ndjson', stream).map((frame) => watcher.push(frame))
    const { usage, finish } = neutral as ChatReply
    expect(seen.some(({ content }) => content)).toBe(true)
    expect(seen.findIndex(({ ended }) => ended)).toBe(seen.length - 1)
    expect(watcher.finish()).toBeUndefined()
    expect(watcher.usage).toEqual(usage)
    expect(watcher.stopReason).toBe(finish.reason === 'length' ? 'length' : 'stop')
  })

  test(`${name}: the plain reply is inspected without being parsed`, () => {
    const scanned = scanObject(Buffer.from(JSON.stringify(plain)))
    if (!scanned.ok) throw new Error(scanned.error.message)
    const { usage } = neutral as ChatReply
    expect(ollama.passThrough.inspectReply(scanned.value, CONTEXT())).toMatchObject({ ok: true, value: { usage } })
  })

  test(`${name}: the request is understood`, () => {
    const request = ollama.decodeRequest(JSON.parse(text(name, 'request.json')), new Headers())
    expect(request.ok && request.value.unknownFields).toEqual([])
  })
}
