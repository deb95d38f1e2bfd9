/** What a request is taken to hold before any provider has counted it. */
import { describe, expect, test } from 'bun:test'
import { scanObject } from '../../src/core/json-scan.ts'
import { estimateTokens } from '../../src/gateway/count-tokens.ts'
import { value } from '../support/dashboard.ts'

const estimate = (body: object): number => estimateTokens(value(scanObject(Buffer.from(JSON.stringify(body)))))

/** As long as the bytes of a photograph, and with as little sense. */
const IMAGE = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7_919 + (at >> 3)) % 251)).toString('base64')
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(IMAGE, 'base64')]).toString('base64')
const asks = (content: unknown): object => ({ messages: [{ role: 'user', content }] })

describe('an image counts as what models make of it, and not as its bytes', () => {
  for (const [format, body] of [
    ['Messages', asks([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE } }])],
    ['Chat Completions', asks([{ type: 'image_url', image_url: { url: `data:image/png;base64,${IMAGE}` } }])],
    ['Gemini', { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: IMAGE } }] }] }],
    [
      'Gemini, as others write it',
      { contents: [{ parts: [{ inline_data: { mime_type: 'image/png', data: IMAGE } }] }] },
    ],
    ['Ollama', { messages: [{ role: 'user', content: 'what is this?', images: [IMAGE] }] }],
    ['Ollama, of a prompt', { prompt: 'what is this?', images: [IMAGE] }],
  ] as const)
    test(`in ${format}`, () => {
      expect(estimate(body)).toBeGreaterThan(1_500)
      expect(estimate(body)).toBeLessThan(2_500)
    })

  test('and so does sound', () => {
    const sound = asks([{ type: 'input_audio', input_audio: { data: IMAGE, format: 'wav' } }])
    expect(estimate(sound)).toBeLessThan(2_500)
  })
})

describe('a document counts by its length', () => {
  for (const [format, content] of [
    ['Messages', [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } }]],
    ['Chat Completions', [{ type: 'file', file: { file_data: `data:application/pdf;base64,${PDF}` } }]],
  ] as const)
    test(`in ${format}`, () => expect(estimate(asks(content))).toBeGreaterThan(PDF.length / 25))
})

describe('text counts by its length, whatever it is about', () => {
  for (const [what, text] of [
    ['Chinese', '这段文字没有空格'.repeat(1_000)],
    ['a program without spaces', 'if(a){b();c=d+[e,f]};'.repeat(1_000)],
  ] as const)
    test(`as ${what} beside the word base64`, () => {
      expect(estimate(asks(`base64:${text}`))).toBeGreaterThan(Buffer.byteLength(text) / 5)
    })
})
