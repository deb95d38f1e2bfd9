/** Clients that leave a stream which is then read on for its exact usage, and what becomes of that when the provider fails. */
import { expect } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { type Step, stream } from '../support/plays.ts'
import { expectNothingHeld } from './allotment.ts'
import { eventually } from './eventually.ts'
import { type History, withProvider } from './history.ts'
import type { Key, Stand } from './stand.ts'
import { begin, BEGUN, events, type Voice, VOICES } from './voice.ts'

/** How long the suite's program reads on. */
export const DRAIN_S = 2

interface Left {
  readonly name: string
  /** What comes after the client has gone. */
  readonly afterwards: (voice: Voice) => readonly Step[]
  /** Of the attempt. */
  readonly ends: { readonly class: string | null; readonly state: string }
}

const LOST = { class: 'cancelled', state: 'estimated' } as const

const LEFT: readonly Left[] = [
  {
    name: 'is read on to its end, and what it cost is known',
    afterwards: (voice) => events(voice).slice(begin(voice).length),
    ends: { class: null, state: 'settled' },
  },
  { name: 'ends with its provider', afterwards: () => ['reset'], ends: LOST },
  { name: 'ends with an end that is none', afterwards: () => ['cut'], ends: LOST },
  { name: 'ends when nothing more comes in time', afterwards: () => ['silence'], ends: LOST },
]

export const LEAVING: readonly History[] = LEFT.map((left) => ({
  name: `a stream whose client has gone ${left.name}`,
  voices: VOICES.filter(({ mode }) => mode === 'streamed'),
  run: (stand, voice) => run(stand, voice, left),
}))

async function run(stand: Stand, voice: Voice, { afterwards, ends }: Left): Promise<void> {
  await withProvider(async (played) => {
    const gone = Promise.withResolvers<void>()
    played.otherwise((stage) => stream([...begin(voice), gone.promise, ...afterwards(voice)])(stage))
    const [place, key] = [await stand.place(voice.dialect, played, 1), await stand.ownKey()]
    const visitor = new Visitor(stand.url, requestOf(voice, place.model, key))
    await eventually(() => visitor.heard.includes(JSON.stringify(BEGUN)), 'the first words')
    await visitor.leave()
    gone.resolve()
    const row = await stand.rowOf(key)
    expect(row).toMatchObject({ status: 'cancelled', error_class: 'cancelled', http: 499 })
    expect(row.attempts).toMatchObject([{ provider: place.slug, ...ends }])
    expect(played.requests).toHaveLength(1)
    await expectNothingHeld(stand, key, [row])
  })
}

function requestOf({ client }: Voice, model: string, { secret }: Key): string {
  const body = JSON.stringify(client.body(model, 'hello', { stream: true }))
  const headers = `host: localhost\r\nx-api-key: ${secret}\r\ncontent-length: ${Buffer.byteLength(body)}`
  return `POST ${client.path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`
}

/** A client on a bare connection, who is told when the program has seen that it leaves: it ends its own side, and waits for the other. */
class Visitor {
  heard = ''
  readonly #socket: Socket
  readonly #letGo = Promise.withResolvers<void>()

  constructor(url: string, request: string) {
    const { hostname, port } = new URL(url)
    this.#socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    this.#socket.on('data', (bytes) => void (this.heard += bytes.toString()))
    this.#socket.on('end', () => this.#letGo.resolve())
    this.#socket.on('close', () => this.#letGo.resolve())
    this.#socket.write(request)
  }

  async leave(): Promise<void> {
    this.#socket.end()
    await this.#letGo.promise
  }
}
