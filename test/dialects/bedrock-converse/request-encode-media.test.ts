import { describe, expect, test } from 'bun:test'
import { bedrockConverse } from '../../../src/dialects/bedrock-converse/index.ts'
import type { Message, Part } from '../../../src/dialects/neutral.ts'
import { PNG, targetContext } from '../samples/sample.ts'
import { converse } from '../samples/bedrock-converse.ts'
import { type Asked, assistant, content, LLAMA, refusal, sent, text, user } from './request-encoding.ts'

describe('media', () => {
  const image = (source: Extract<Part, { type: 'image' }>['source']) => ({ type: 'image' as const, source })
  const document = (title: string | undefined, mime = 'application/pdf', data = 'JVBERi0xLjQ=') => ({
    type: 'document' as const,
    source: { kind: 'base64' as const, mime, data },
    ...(title === undefined ? {} : { title }),
  })

  test('a picture is what its bytes show', () => {
    const given = [user(image({ kind: 'base64', mime: 'image/jpg', data: PNG }))]
    expect(content({ messages: given })).toEqual([{ image: { format: 'png', source: { bytes: PNG } } }])
  })

  test('nothing is read from an address', () => {
    const target = targetContext(converse.upstream)
    for (const kind of ['image', 'document', 'audio'] as const)
      expect(bedrockConverse.takesUrl(kind, 'https://a.example/b', target)).toBe(false)
    expect(refusal({ messages: [user(image({ kind: 'url', url: 'https://a.example/b.png' }))] })).toBe(
      'messages.0.parts.0',
    )
  })

  const REFUSED: readonly (readonly [string, Asked])[] = [
    [
      'a picture of an unknown kind',
      { messages: [user(image({ kind: 'base64', mime: 'image/svg+xml', data: 'PHN2Zz4=' }))] },
    ],
    [
      'a picture for a model without eyes',
      { messages: [user(image({ kind: 'base64', mime: 'image/png', data: PNG }))], capabilities: { images: false } },
    ],
    [
      'a file at another vendor',
      { messages: [user(image({ kind: 'file', id: 'file_1', origin: 'anthropic-messages' }))] },
    ],
    ['an archive', { messages: [user(document('a', 'application/zip', 'UEsDBA=='))] }],
    [
      'sound for a model without ears',
      {
        messages: [user({ type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'UklGRg==' } })],
        capabilities: { audio: false },
      },
    ],
  ]
  for (const [name, asked] of REFUSED) {
    test(`${name} is refused by its place`, () => expect(refusal(asked)).toBe('messages.0.parts.0'))
  }

  test('sound goes to a model that hears', () => {
    const sound = { type: 'audio' as const, source: { kind: 'base64' as const, mime: 'audio/mpeg', data: '//vQ' } }
    expect(content({ messages: [user(sound)] })).toEqual([{ audio: { format: 'mp3', source: { bytes: '//vQ' } } }])
  })

  test('a document of office is what its sender says', () => {
    const mime = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    expect(content({ messages: [user(text('q'), document('Plan.docx', mime, 'UEsDBA=='))] })).toEqual([
      { text: 'q' },
      { document: { format: 'docx', name: 'Plan', source: { bytes: 'UEsDBA==' } } },
    ])
  })

  test('a document of text goes as bytes, and never without words beside it', () => {
    const notes = { type: 'document' as const, source: { kind: 'text' as const, text: 'Hé', mime: 'text/plain' } }
    expect(content({ messages: [user(notes)] })).toEqual([
      { text: '.' },
      { document: { format: 'txt', name: 'document', source: { bytes: 'SMOp' } } },
    ])
  })

  test('names of documents are legal, unique and the same in every turn', () => {
    const titles = ['Q3_report (final).pdf', 'Q3-report (final)', undefined, 'été  2026.pdf', '***', 'x'.repeat(300)]
    const turns = [user(text('q'), ...titles.map((title) => document(title)))]
    const names = (given: readonly Message[]) =>
      (content({ messages: given }) as readonly { document?: { name: string } }[]).flatMap(
        (block) => block.document?.name ?? [],
      )
    const first = names(turns)
    expect(first.slice(0, 5)).toEqual([
      'Q3-report (final)',
      'Q3-report (final) (2)',
      'document',
      '-t- 2026',
      'document (2)',
    ])
    for (const name of first) expect(name).toMatch(/^(?!.*\s\s)[a-zA-Z0-9\s()[\]-]{1,200}$/)
    expect(names([...turns, assistant(text('a')), user(text('more?'))])).toEqual(first)
  })

  test('in the model’s own turns there is only the word that there was one', () => {
    const given = [user(text('q')), assistant(image({ kind: 'base64', mime: 'image/png', data: PNG })), user(text('b'))]
    expect(content({ messages: given }, 1)).toEqual([{ text: '[image]' }])
  })

  test('citations are asked of Claude, and named as lost elsewhere', () => {
    const cited = { ...document('a'), citations: true, context: 'Internal.' }
    const given = { messages: [user(text('q'), cited)] }
    expect(content(given)).toMatchObject([{}, { document: { context: 'Internal.', citations: { enabled: true } } }])
    expect(sent({ ...given, to: LLAMA }).dropped).toEqual(['citations'])
  })
})
