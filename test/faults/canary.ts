/**
 * A stream beside everything else that happens: a provider that says a token every 50 ms and a client that notes when each comes.
 * It runs in a thread of its own, so that what is late was late in the program and not in the test.
 */
import { playProvider, type Stage } from '../support/provider.ts'
import { CHAT, type Client, MESSAGES } from '../gateway/clients.ts'
import { ANTHROPIC, OPENAI_CHAT, type Speaker } from '../gateway/upstreams.ts'

/** What the test says. */
export type Order =
  | {
      readonly kind: 'sing'
      readonly url: string
      readonly secret: string
      readonly models: Readonly<Record<string, string>>
    }
  | { readonly kind: 'stop' }

/** What the thread says. */
export type Word =
  | { readonly kind: 'ready'; readonly urls: Readonly<Record<string, string>> }
  | { readonly kind: 'singing' }
  | { readonly kind: 'done'; readonly songs: readonly Song[] }

export interface Song {
  readonly client: string
  readonly sent: number
  /** All of what came, in the order in which it came. */
  readonly heard: readonly number[]
  /** What came and is no token of this stream. */
  readonly foreign: readonly string[]
  readonly ended: boolean
  /** Between two tokens, without what their sender was late itself. */
  readonly gapMsMax: number
}

const TOKEN_EVERY_MS = 50
const BIRDS: readonly (readonly [Client, Speaker])[] = [
  [MESSAGES, ANTHROPIC],
  [CHAT, OPENAI_CHAT],
]
const MARK = '\u0001'

declare const self: Worker

if (!Bun.isMainThread) listen()

function listen(): void {
  const birds = BIRDS.map(([client, speaker]) => new Bird(client, speaker))
  self.addEventListener('message', ({ data }: MessageEvent<Order>) => {
    if (data.kind === 'stop') for (const bird of birds) bird.stop()
    else void sing(birds, data)
  })
  say({ kind: 'ready', urls: Object.fromEntries(birds.map((bird) => [bird.client.name, bird.url])) })
}

async function sing(birds: readonly Bird[], { url, secret, models }: Extract<Order, { kind: 'sing' }>): Promise<void> {
  const songs = birds.map((bird) => bird.sing(url, secret, models[bird.client.name] ?? ''))
  await Promise.all(birds.map((bird) => bird.begun))
  say({ kind: 'singing' })
  say({ kind: 'done', songs: await Promise.all(songs) })
}

function say(word: Word): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin; that is for windows
  self.postMessage(word)
}

class Bird {
  readonly client: Client
  readonly begun: Promise<void>
  readonly #played = playProvider()
  readonly #speaker: Speaker
  readonly #begin: () => void
  readonly #sentAtMs: number[] = []
  #isOver = false

  constructor(client: Client, speaker: Speaker) {
    this.client = client
    this.#speaker = speaker
    const { promise, resolve } = Promise.withResolvers<void>()
    this.begun = promise
    this.#begin = resolve
    this.#played.otherwise((stage) => this.#tokens(stage))
  }

  get url(): string {
    return this.#played.url
  }

  stop(): void {
    this.#isOver = true
  }

  #tokens(stage: Stage): void {
    const [before = [], token = '', after = []] = this.#score()
    stage.head(200, { 'content-type': 'text/event-stream' })
    for (const event of before) stage.write(event)
    const timer = setInterval(() => {
      if (!this.#isOver) return stage.write(token.replace(MARK_IN_JSON, ` ${this.client.name}-${this.#next()}`))
      clearInterval(timer)
      for (const event of after) stage.write(event)
      stage.end()
    }, TOKEN_EVERY_MS)
  }

  #next(): number {
    return this.#sentAtMs.push(performance.now()) - 1
  }

  /** The events before the first token, one with a token, and those after. */
  #score(): readonly [readonly string[], string, readonly string[]] {
    const events = this.#speaker.stream([MARK])
    const at = events.findIndex((event) => event.includes(MARK_IN_JSON))
    return [events.slice(0, at), events[at] ?? '', events.slice(at + 1)]
  }

  async sing(url: string, secret: string, model: string): Promise<Song> {
    const response = await fetch(`${url}${this.client.path}`, {
      method: 'POST',
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
      body: JSON.stringify(this.client.body(model, 'sing', { stream: true })),
    })
    const ear = new Ear(this.client.name, this.#sentAtMs)
    for await (const bytes of response.body ?? []) {
      ear.hear(bytes)
      this.#begin()
    }
    this.#played.stop()
    return { client: this.client.name, sent: this.#sentAtMs.length, ...ear.report() }
  }
}

const MARK_IN_JSON = JSON.stringify(MARK).slice(1, -1)

/** Takes a stream apart as it comes. */
class Ear {
  readonly #token: RegExp
  readonly #sentAtMs: readonly number[]
  readonly #decoder = new TextDecoder()
  readonly #heard: number[] = []
  readonly #foreign: string[] = []
  #rest = ''
  #lastMs = performance.now()
  #gapMsMax = 0
  #ended = false

  constructor(name: string, sentAtMs: readonly number[]) {
    this.#sentAtMs = sentAtMs
    this.#token = new RegExp(`^ ${name}-(\\d+)$`)
  }

  hear(bytes: Uint8Array): void {
    const blocks = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks)
      this.#take(
        block
          .split('\n')
          .find((line) => line.startsWith('data: '))
          ?.slice(6) ?? '',
      )
  }

  #take(data: string): void {
    if (data === '[DONE]' || data.includes('"message_stop"')) this.#ended = true
    const text = textIn(data)
    if (text === '') return
    const number = this.#token.exec(text)?.[1]
    if (number === undefined) this.#foreign.push(text)
    else this.#heard.push(Number(number))
    const nowMs = performance.now()
    // The wait for the first token is the connection's.
    if (this.#heard.length > 1) {
      const gapMs = nowMs - this.#lastMs - this.#senderLateMs(Number(number))
      this.#gapMsMax = Math.max(this.#gapMsMax, gapMs)
    }
    this.#lastMs = nowMs
  }

  /** A machine with too much to do holds up the sender as well. */
  #senderLateMs(number: number): number {
    const [before = 0, at = 0] = this.#sentAtMs.slice(number - 1, number + 1)
    return Math.max(0, at - before - TOKEN_EVERY_MS)
  }

  report() {
    return { heard: this.#heard, foreign: this.#foreign, ended: this.#ended, gapMsMax: this.#gapMsMax }
  }
}

function textIn(data: string): string {
  if (!data.startsWith('{')) return ''
  const event = JSON.parse(data)
  return event.delta?.text ?? event.choices?.[0]?.delta.content ?? ''
}
