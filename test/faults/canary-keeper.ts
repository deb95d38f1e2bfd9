/** The test's side of the canaries: gives them providers and a key, and asks how it was. */
import type { Order, Song, Word } from './canary.ts'
import type { Stand } from './stand.ts'

const DIALECTS: Readonly<Record<string, string>> = { messages: 'anthropic_messages', chat: 'openai_chat' }

export class Canary {
  readonly #worker: Worker
  readonly #songs: Promise<readonly Song[]>

  private constructor(worker: Worker, songs: Promise<readonly Song[]>) {
    this.#worker = worker
    this.#songs = songs
  }

  /** Resolves when both streams have begun. */
  static async start(stand: Stand): Promise<Canary> {
    const worker = new Worker(new URL('./canary.ts', import.meta.url))
    const [ready, singing, done] = [nextOf(worker, 'ready'), nextOf(worker, 'singing'), nextOf(worker, 'done')]
    const models: Record<string, string> = {}
    for (const [client, url] of Object.entries((await ready).urls))
      models[client] = (await stand.place(DIALECTS[client] ?? '', { url }, 1)).model
    tell(worker, { kind: 'sing', url: stand.url, secret: stand.key.secret, models })
    await singing
    return new Canary(
      worker,
      done.then(({ songs }) => songs),
    )
  }

  async stop(): Promise<readonly Song[]> {
    tell(this.#worker, { kind: 'stop' })
    const songs = await this.#songs
    this.#worker.terminate()
    return songs
  }
}

function tell(worker: Worker, order: Order): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin; that is for windows
  worker.postMessage(order)
}

function nextOf<Kind extends Word['kind']>(worker: Worker, kind: Kind): Promise<Extract<Word, { kind: Kind }>> {
  const { promise, resolve, reject } = Promise.withResolvers<Extract<Word, { kind: Kind }>>()
  worker.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if (isOf(data, kind)) resolve(data)
  })
  worker.addEventListener('error', ({ message }) => reject(new Error(message)))
  return promise
}

function isOf<Kind extends Word['kind']>(word: Word, kind: Kind): word is Extract<Word, { kind: Kind }> {
  return word.kind === kind
}
