/** Images and documents by address, for providers that do not read them by themselves. The internet is played on loopback. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeApp, type TestApp } from '../support/app.ts'
import { addressOf, INTERNET, playInternet } from '../support/internet.ts'
import { json, redirect, reset, silence, text } from '../support/plays.ts'
import type { Play, Provider } from '../support/provider.ts'
import { turn, until } from '../support/until.ts'
import { MEDIA_BYTES_MAX, MEDIA_URLS_MAX } from '../../src/gateway/inline-media/inline-media.ts'
import { CHAT, type Client, MESSAGES, RESPONSES } from './clients.ts'
import { ANTHROPIC, OPENAI_CHAT } from './upstreams.ts'

const PDF = '%PDF-1.7\nhello'
const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

let bench: TestApp
let host: Provider
beforeAll(async () => {
  bench = await makeApp({ internet: INTERNET, accounts: { anthropic: 1, openai: 1 } })
})
beforeEach(() => {
  host?.stop()
  host = playInternet()
})
afterAll(async () => {
  host.stop()
  await bench[Symbol.asyncDispose]()
})

interface Asked {
  readonly status: number
  readonly error: { readonly type: string; readonly message: string; readonly param?: string }
  /** The content of the conversation's last message, as the provider got it. */
  readonly content: unknown
  readonly id: string
}

interface Question {
  readonly client: Client
  readonly model: string
  readonly body: object
}

async function check({ client, model, body }: Question): Promise<Asked> {
  const speaker = model === ANTHROPIC.model ? ANTHROPIC : OPENAI_CHAT
  const { played } = bench.upstream(speaker.provider)
  const before = played.requests.length
  played.otherwise(json(speaker.reply('seen')))
  const answer = await bench.ask(client.path, { body: { ...client.body(model), ...body } })
  const got =
    played.requests.length > before ? played.requests.at(-1)?.json<{ messages: { content: unknown }[] }>() : null
  return {
    status: answer.status,
    error: answer.body.error,
    content: got?.messages.at(-1)?.content,
    id: answer.headers.get('x-request-id') ?? '',
  }
}

/** From a client of Messages to a provider of Chat Completions, which reads no documents by address. */
function documentQuestion(url: string, more: object = {}): Question {
  const document = { type: 'document', source: { type: 'url', url }, ...more }
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hi' },
    { role: 'user', content: [{ type: 'text', text: 'What is it?' }, document] },
  ]
  return { client: MESSAGES, model: OPENAI_CHAT.model, body: { messages } }
}

const base64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64')

describe('a document by address', () => {
  test.each<[string, Play, string, object]>([
    [
      'a PDF',
      text(PDF, 200, { 'content-type': 'application/pdf' }),
      '/files/report.pdf?signature=abc',
      { type: 'file', file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${base64(PDF)}` } },
    ],
    [
      'a PDF that its host calls something else',
      text(PDF, 200, { 'content-type': 'text/html' }),
      '/download',
      { type: 'file', file: { filename: 'download', file_data: `data:application/pdf;base64,${base64(PDF)}` } },
    ],
    [
      'a document of an office',
      (stage) => stage.reply(200, { 'content-type': DOCX }, 'PK\x03\x04rest'),
      '/a%20b.docx',
      { type: 'file', file: { filename: 'a b.docx', file_data: `data:${DOCX};base64,${base64('PK\x03\x04rest')}` } },
    ],
  ])('that is %s goes on as its bytes', async (_, script, path, expected) => {
    host.play(script)
    const { status, content } = await check(documentQuestion(addressOf(host, path)))
    expect({ status, part: (content as unknown[])?.[1] }).toEqual({ status: 200, part: expected })
  })

  test.each<[string, Play]>([
    ['UTF-8', text('naïve text', 200, { 'content-type': 'text/plain' })],
    [
      'another charset',
      (stage) =>
        stage.reply(200, { 'content-type': 'text/plain; charset=iso-8859-1' }, Buffer.from('naïve text', 'latin1')),
    ],
    ['no type at all', (stage) => stage.reply(200, {}, 'naïve text')],
  ])('that is text of %s goes on as text', async (_, script) => {
    host.play(script)
    const { content } = await check(documentQuestion(addressOf(host, '/notes.txt')))
    expect(content).toBe('What is it?\n\nnotes.txt\n\nnaïve text')
  })

  test('that was moved is found', async () => {
    host.play(redirect('/new.pdf', 302), text(PDF))
    const { status } = await check(documentQuestion(addressOf(host, '/old.pdf')))
    expect(status).toBe(200)
    expect(host.requests.map(({ path }) => path)).toEqual(['/old.pdf', '/new.pdf'])
  })

  test('is fetched without anything of the client or the account', async () => {
    host.play(text(PDF))
    await check(documentQuestion(addressOf(host, '/a.pdf')))
    const headers = JSON.stringify(host.requests[0]?.headers)
    expect(headers).not.toContain(bench.key.secret)
    expect(headers).not.toContain(bench.upstream('openai').secret)
  })

  test('that stands there twice is fetched once', async () => {
    host.play(text(PDF))
    const url = addressOf(host, '/a.pdf')
    const document = { type: 'document', source: { type: 'url', url } }
    const messages = [{ role: 'user', content: [document, { type: 'text', text: 'and' }, document] }]
    const { content } = await check({ ...documentQuestion(url), body: { messages } })
    expect((content as { type: string }[]).map(({ type }) => type)).toEqual(['file', 'text', 'file'])
    expect(host.requests).toHaveLength(1)
  })

  test('in the result of a tool is fetched as well', async () => {
    host.play(text('the text'))
    const result = [{ type: 'document', source: { type: 'url', url: addressOf(host, '/a.txt') } }]
    const messages = [
      { role: 'user', content: 'Read it' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: result }] },
    ]
    const { status, content } = await check({ client: MESSAGES, model: OPENAI_CHAT.model, body: { messages } })
    expect(status).toBe(200)
    expect(JSON.stringify(content)).toContain('the text')
  })

  test('is fetched once, however many accounts are tried', async () => {
    await using two = await makeApp({ internet: INTERNET, accounts: { openai: 2 } })
    host.play(text(PDF))
    two.upstream('openai').played.play(json({ error: { message: 'slow down', type: 'rate_limit' } }, 429))
    two.upstream('openai', 1).played.play(json(OPENAI_CHAT.reply('seen')))
    const { body } = documentQuestion(addressOf(host, '/a.pdf'))
    const { status } = await two.ask(MESSAGES.path, { body: { ...MESSAGES.body(OPENAI_CHAT.model), ...body } })
    expect(status).toBe(200)
    expect(two.upstream('openai', 1).played.requests[0]?.text()).toContain(base64(PDF))
    expect(host.requests).toHaveLength(1)
  })
})

test.each<[string, string, boolean]>([
  ['a PDF', '/a.pdf', false],
  ['a file whose name says nothing', '/download?id=1', false],
  ['a text, which it does not read by address', '/notes.md', true],
])('to a provider that reads PDFs by address, %s is fetched here: %s', async (_, path, fetched) => {
  host.play(text('the text', 200, { 'content-type': 'text/markdown' }))
  const file = { type: 'input_file', file_url: addressOf(host, path) }
  const { status } = await check({
    client: RESPONSES,
    model: ANTHROPIC.model,
    body: { input: [{ role: 'user', content: [file] }] },
  })
  expect(status).toBe(200)
  expect(host.requests).toHaveLength(fetched ? 1 : 0)
})

test('an image by address that the provider reads by itself stays an address', async () => {
  const url = addressOf(host, '/a.png')
  const image = { type: 'image', source: { type: 'url', url } }
  const { content } = await check({
    ...documentQuestion(url),
    body: { messages: [{ role: 'user', content: [image] }] },
  })
  expect(content).toEqual([{ type: 'image_url', image_url: { url } }])
  expect(host.requests).toHaveLength(0)
})

describe('a host that takes images as bytes alone', () => {
  const ask = async (client: Client, message: object): Promise<string> => {
    await using local = await makeApp({ internet: INTERNET, accounts: { ollama: 1 } })
    const { played } = local.upstream('ollama')
    played.play(json(OPENAI_CHAT.reply('seen')))
    const body = { ...client.body('ollama/llava'), messages: [message], x_new: 1 }
    const { status } = await local.ask(client.path, { body })
    expect(status).toBe(200)
    return played.requests[0]?.text() ?? ''
  }
  const image = (url: string): object => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })

  test('gets the bytes of one by address, although it speaks the client’s own format', async () => {
    host.play((stage) => stage.reply(200, { 'content-type': 'image/jpeg' }, Buffer.from(PNG, 'latin1')))
    const sent = await ask(CHAT, image(addressOf(host, '/a.jpg')))
    expect(sent).toContain(`data:image/png;base64,${base64(PNG)}`)
  })

  test('gets everything else as the client wrote it', async () => {
    const url = `data:image/png;base64,${base64(PNG)}`
    const sent = await ask(CHAT, image(url))
    expect(JSON.parse(sent)).toMatchObject({ x_new: 1, messages: [image(url)] })
    const words = await ask(CHAT, { role: 'user', content: 'an "image_url" with {"url":"https://a.example"}' })
    expect(JSON.parse(words)).toMatchObject({ x_new: 1 })
  })
})

test.each([
  [`data:image/jpeg;base64,${base64(PNG)}`, `data:image/png;base64,${base64(PNG)}`],
  ['data:image/jpg;charset=utf-8;base64,AAAA', 'data:image/jpeg;base64,AAAA'],
])('an image in the request goes on as the type that it is: %s', async (url, expected) => {
  const image = { type: 'input_image', image_url: url }
  const body = { input: [{ role: 'user', content: [image, { type: 'input_text', text: 'What is it?' }] }] }
  const media = expected.slice('data:'.length, expected.indexOf(';'))
  const { status, content } = await check({ client: RESPONSES, model: ANTHROPIC.model, body })
  const source = { type: 'base64', media_type: media, data: expected.slice(expected.indexOf(',') + 1) }
  expect(status).toBe(200)
  expect(content).toEqual([
    { type: 'image', source },
    { type: 'text', text: 'What is it?' },
  ])
})

describe('a document that cannot be had', () => {
  const big = Buffer.alloc(1024 * 1024)
  test.each<[string, Play, RegExp]>([
    ['is not there', text('gone', 404), /status 404/],
    ['needs a credential', text('no', 401), /status 401/],
    ['is a program', text('\x7fELF\x02\x01\0\0', 200), /neither text nor a document/],
    ['is a picture', (stage) => stage.reply(200, {}, Buffer.from(PNG, 'latin1')), /neither text nor a document/],
    ['is empty', text(''), /empty/],
    [
      'is too large',
      (stage) => stage.raw(`HTTP/1.1 200 OK\r\ncontent-length: ${MEDIA_BYTES_MAX + 1}\r\n\r\n`),
      /larger than 20 MiB/,
    ],
    [
      'turns out to be too large',
      (stage) => {
        stage.head(200)
        for (let sent = 0; sent <= MEDIA_BYTES_MAX; sent += big.length) stage.write(big)
      },
      /larger than 20 MiB/,
    ],
    ['breaks off', reset, /did not answer properly/],
    [
      'leads into our network',
      redirect('https://169.254.169.254/latest/meta-data', 302),
      /not one of the public internet/,
    ],
    ['leads away from https', redirect('http://files.example/a.pdf', 302), /away from https/],
    ['leads on and on', redirect('/again', 302), /redirects/],
  ])('%s: the request is refused, in words', async (_, script, words) => {
    host.otherwise(script)
    const { status, error } = await check(documentQuestion(addressOf(host, '/files/a.pdf?signature=hidden')))
    expect(status).toBe(400)
    expect(error.message).toMatch(words)
    expect(error.message).toContain(
      `messages.2.content.1.source.url: models.example:${host.port}/files/a.pdf cannot be used`,
    )
    expect(error.message).not.toContain('hidden')
  })

  test.each([
    'http://models.example/a.pdf',
    'https://127.0.0.1/a.pdf',
    'https://10.0.0.1/a.pdf',
    'https://[::1]/a.pdf',
    'https://169.254.169.254/a.pdf',
    'https://0x7f.1/a.pdf',
    'https://user:secret@models.example/a.pdf',
    'https://models.example:22/a.pdf',
    'ftp://models.example/a.pdf',
    'file:///etc/passwd',
    'not an address',
    '',
  ])('for its address is %p: the request is refused', async (url) => {
    const { status, error } = await check(documentQuestion(url))
    expect({ status, type: error.type }).toEqual({ status: 400, type: 'invalid_request_error' })
    expect(error.message).not.toContain('secret')
  })

  test('is nobody’s fault but the client’s: no provider is asked, no account suffers, and the row says why', async () => {
    host.play(text('gone', 404))
    const { requests } = bench.upstream('openai').played
    const before = requests.length
    const { id } = await check(documentQuestion(addressOf(host, '/a.pdf')))
    expect(requests).toHaveLength(before)
    expect(await bench.account(bench.upstream('openai'))).toMatchObject({ status: 'active' })
    const row = (await bench.rows()).find((one) => one.id === id)
    expect(row).toMatchObject({ status: 'error', error_class: 'malformed', http: 400 })
  })

  test('takes too long: the client is told after a while', async () => {
    host.play(silence)
    const asked = check(documentQuestion(addressOf(host, '/slow.pdf')))
    await host.request(0)
    await turn()
    bench.clock.advance(11_000)
    const { status, error } = await asked
    expect({ status, message: error.message }).toMatchObject({
      status: 400,
      message: expect.stringContaining('in time'),
    })
  })
})

test('more addresses than are fetched for one request are refused before any is', async () => {
  const urls = Array.from({ length: MEDIA_URLS_MAX + 1 }, (_, index) => addressOf(host, `/${index}.pdf`))
  const content = urls.map((url) => ({ type: 'document', source: { type: 'url', url } }))
  const { status, error } = await check({ ...documentQuestion(''), body: { messages: [{ role: 'user', content }] } })
  expect(status).toBe(400)
  expect(error.message).toContain(String(MEDIA_URLS_MAX))
  expect(host.requests).toHaveLength(0)
})

test('no more than four are fetched at a time', async () => {
  const gate = Promise.withResolvers<void>()
  host.otherwise(async (stage) => {
    await gate.promise
    stage.reply(200, {}, 'some text')
  })
  const content = Array.from({ length: 10 }, (_, index) => ({
    type: 'document',
    source: { type: 'url', url: addressOf(host, `/${index}.txt`) },
  }))
  const asked = check({ ...documentQuestion(''), body: { messages: [{ role: 'user', content }] } })
  await until(() => host.requests.length >= 4, 'four requests')
  for (let turns = 0; turns < 50; turns++) await turn()
  expect(host.requests).toHaveLength(4)
  gate.resolve()
  expect((await asked).status).toBe(200)
  expect(host.requests).toHaveLength(10)
})

test('files that are too large together are refused', async () => {
  await using small = await makeApp({ internet: INTERNET, settings: { server: { max_body_mib: 1 } } })
  host.otherwise((stage) => stage.reply(200, {}, 'x'.repeat(700_000)))
  const content = [1, 2].map((index) => ({
    type: 'document',
    source: { type: 'url', url: addressOf(host, `/${index}.txt`) },
  }))
  const body = { ...MESSAGES.body(OPENAI_CHAT.model), messages: [{ role: 'user', content }] }
  const { status } = await small.ask(MESSAGES.path, { body })
  expect(status).toBe(400)
  expect(small.upstream('openai').played.requests).toHaveLength(0)
})

test('a client that leaves while its files are fetched ends the fetching', async () => {
  host.play(silence)
  const left = new AbortController()
  const { body } = documentQuestion(addressOf(host, '/a.pdf'))
  const asked = bench.request(MESSAGES.path, {
    body: { ...MESSAGES.body(OPENAI_CHAT.model, 'hello', { stream: true }), ...body },
    signal: left.signal,
  })
  const fetched = await host.request(0)
  left.abort()
  await fetched.hungUp
  await (await asked).text()
  expect((await bench.rows()).filter(({ status }) => status === 'cancelled')).toHaveLength(1)
})
