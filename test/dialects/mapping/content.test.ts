/** Every kind of content in every format: carried, said in words, or refused by name; nothing goes without a word. */
import { describe, test } from 'bun:test'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import type { Media, Part } from '../../../src/dialects/neutral.ts'
import { PDF, PNG } from '../samples/sample.ts'
import { assistant, expectCell, HOST_NAMES, text, user, type Cell, type HostName } from './table.ts'

type Contents = Readonly<Record<HostName, Json | object | { readonly refused: true } | { readonly dropped: string }>>

const REFUSED = { refused: true } as const

/** Where a host's first turn of the user stands. */
const CONTENT: Readonly<Record<HostName, string>> = {
  messages: 'messages.0.content',
  chat: 'messages.0.content',
  responses: 'input.0.content',
  gemini: 'contents.0.parts',
  converse: 'messages.0.content',
  cohere: 'messages.0.content',
  ollama: 'messages.0',
}

/** What a format calls the content of a turn when it refuses it. */
const REFUSED_AS: Readonly<Record<HostName, string>> = {
  messages: 'messages.0.parts.0',
  chat: 'messages.0.content',
  responses: 'messages.0.parts.0',
  gemini: 'messages.0.parts.0',
  converse: 'messages.0.parts.0',
  cohere: 'messages.0.content',
  ollama: 'messages.0.content',
}

const png: Media = { kind: 'base64', mime: 'image/png', data: PNG }
const pdf: Media = { kind: 'base64', mime: 'application/pdf', data: PDF }
const web = (name: string): Media => ({ kind: 'url', url: `https://example.com/${name}` })
const filler = { text: '.' }

const ROWS: readonly (readonly [
  name: string,
  part: Part,
  contents: Contents,
  dropped?: Partial<Record<HostName, string[]>>,
])[] = [
  [
    'words',
    text('hi'),
    {
      messages: 'hi',
      chat: 'hi',
      responses: [{ type: 'input_text', text: 'hi' }],
      gemini: [{ text: 'hi' }],
      converse: [{ text: 'hi' }],
      cohere: 'hi',
      ollama: { role: 'user', content: 'hi' },
    },
  ],
  [
    'the bytes of a picture, with how closely to look',
    { type: 'image', source: png, detail: 'low' },
    {
      messages: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
      chat: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } }],
      responses: [{ type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'low' }],
      gemini: [
        { inlineData: { mimeType: 'image/png', data: PNG }, mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' } },
      ],
      converse: [{ image: { format: 'png', source: { bytes: PNG } } }],
      cohere: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } }],
      ollama: { role: 'user', content: '', images: [PNG] },
    },
    { messages: ['detail'], converse: ['detail'], ollama: ['detail'] },
  ],
  [
    'a picture by its address',
    { type: 'image', source: web('a.png') },
    {
      messages: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
      chat: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
      responses: [{ type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' }],
      gemini: REFUSED,
      converse: REFUSED,
      cohere: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
      ollama: REFUSED,
    },
  ],
  [
    'the bytes of a PDF',
    { type: 'document', source: pdf, title: 'Q3 report.pdf' },
    {
      messages: [
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: PDF },
          title: 'Q3 report.pdf',
        },
      ],
      chat: [{ type: 'file', file: { filename: 'Q3 report.pdf', file_data: `data:application/pdf;base64,${PDF}` } }],
      responses: [{ type: 'input_file', filename: 'Q3 report.pdf', file_data: `data:application/pdf;base64,${PDF}` }],
      gemini: [{ inlineData: { mimeType: 'application/pdf', data: PDF } }],
      converse: [filler, { document: { format: 'pdf', name: 'Q3 report', source: { bytes: PDF } } }],
      cohere: REFUSED,
      ollama: REFUSED,
    },
  ],
  [
    'a PDF by its address',
    { type: 'document', source: web('a.pdf') },
    {
      messages: [{ type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }],
      chat: REFUSED,
      responses: [{ type: 'input_file', file_url: 'https://example.com/a.pdf' }],
      gemini: REFUSED,
      converse: REFUSED,
      cohere: REFUSED,
      ollama: REFUSED,
    },
  ],
  [
    'a document of words',
    { type: 'document', source: { kind: 'text', text: 'body', mime: 'text/plain' }, title: 'T', context: 'C' },
    {
      messages: [
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'body' },
          title: 'T',
          context: 'C',
        },
      ],
      chat: 'T\n\nC\n\nbody',
      responses: [{ type: 'input_text', text: 'T\n\nC\n\nbody' }],
      gemini: [{ text: 'T\n\nC\n\nbody' }],
      converse: [
        filler,
        {
          document: {
            format: 'txt',
            name: 'T',
            source: { bytes: Buffer.from('body').toString('base64') },
            context: 'C',
          },
        },
      ],
      cohere: 'T\n\nC\n\nbody',
      ollama: { role: 'user', content: 'T\n\nC\n\nbody' },
    },
  ],
  [
    'sound',
    { type: 'audio', source: { kind: 'base64', mime: 'audio/wav', data: 'UklGRg==' }, format: 'wav' },
    {
      messages: REFUSED,
      chat: [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }],
      responses: [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }],
      gemini: [{ inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } }],
      converse: [{ audio: { format: 'wav', source: { bytes: 'UklGRg==' } } }],
      cohere: REFUSED,
      ollama: REFUSED,
    },
  ],
  [
    'a picture that another vendor keeps',
    { type: 'image', source: { kind: 'file', id: 'f', origin: 'ollama' } },
    {
      messages: REFUSED,
      chat: REFUSED,
      responses: REFUSED,
      gemini: REFUSED,
      converse: REFUSED,
      cohere: REFUSED,
      ollama: REFUSED,
    },
  ],
]

for (const [name, part, contents, dropped = {}] of ROWS) {
  describe(name, () => {
    for (const host of HOST_NAMES) {
      const expected = contents[host]
      const isRefused = expected === REFUSED
      test(`${host}: ${isRefused ? 'is refused by name' : 'is sent'}`, () => {
        const cell: Cell = isRefused
          ? { refused: REFUSED_AS[host] }
          : { sent: { [CONTENT[host]]: expected }, dropped: dropped[host] ?? [] }
        expectCell(host, { messages: [user(part)] }, cell)
      })
    }
  })
}

/** Vendors refuse these in a model's own turn; Google alone has pictures there. */
describe('a picture in the model’s own turn is named there', () => {
  const turns: Readonly<Record<HostName, readonly [path: string, turn: JsonObject | readonly JsonObject[] | string]>> =
    {
      messages: ['messages.1.content', '[image]'],
      chat: ['messages.1.content', '(image)'],
      responses: ['input.1.content', [{ type: 'output_text', text: '(image)', annotations: [] }]],
      gemini: ['contents.1.parts', [{ inlineData: { mimeType: 'image/png', data: PNG } }]],
      converse: ['messages.1.content', [{ text: '[image]' }]],
      cohere: ['messages.1.content', '(image)'],
      ollama: ['messages.1.content', '(image)'],
    }
  for (const host of HOST_NAMES) {
    const [path, turn] = turns[host]
    test(host, () => {
      const messages = [user(text('draw')), assistant({ type: 'image', source: png }), user(text('more'))]
      expectCell(host, { messages }, { sent: { [path]: turn } })
    })
  }
})

describe('a refusal of before stays the model’s own words', () => {
  const turns: Readonly<Record<HostName, readonly [path: string, turn: JsonObject | readonly JsonObject[] | string]>> =
    {
      messages: ['messages.1.content', 'No.'],
      chat: ['messages.1.content', [{ type: 'refusal', refusal: 'No.' }]],
      responses: ['input.1.content', [{ type: 'refusal', refusal: 'No.' }]],
      gemini: ['contents.1.parts', [{ text: 'No.' }]],
      converse: ['messages.1.content', [{ text: 'No.' }]],
      cohere: ['messages.1.content', 'No.'],
      ollama: ['messages.1.content', 'No.'],
    }
  for (const host of HOST_NAMES) {
    const [path, turn] = turns[host]
    test(host, () => {
      const messages = [user(text('a')), assistant({ type: 'refusal', text: 'No.' }), user(text('b'))]
      expectCell(host, { messages }, { sent: { [path]: turn } })
    })
  }
})
