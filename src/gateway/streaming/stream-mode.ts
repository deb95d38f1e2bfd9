/**
 * How a stream runs, chosen before its first byte. `raw`: the provider's bytes go on untouched while being watched.
 * `rewritten`: its events are decoded and encoded for the client. Either way whole events leave, all those of one read together,
 * so that what is written next (a keep-alive, an error) always starts a new one.
 */
import { failure, type Failure } from '../../core/failure.ts'
import type { Frame, Framer } from '../../core/framing/frame.ts'
import type { Usage } from '../../core/usage.ts'
import type { StreamDecoder, StreamEncoder, StreamWatcher } from '../../dialects/dialect.ts'
import type { ChatEvent } from '../../dialects/neutral.ts'
import { EventGuard } from '../../dialects/validator.ts'
import { BrokenArguments } from './broken-arguments.ts'
import { Delivered } from './delivered.ts'
import type { RenameModel } from '../translate/rename-model.ts'
import type { Seam } from './seam.ts'

/** What one read of the provider amounts to. */
export interface StreamStep {
  /** For the client; empty when there is nothing to say yet. */
  readonly bytes: Uint8Array
  /** Content of any kind was among it. */
  readonly content: boolean
  /** Text, a refusal or a call was among it, not thinking alone. */
  readonly answers: boolean
  /** The answer is complete. */
  readonly ended: boolean
  /** The answer broke after `bytes`. */
  readonly failure: Failure | undefined
}

export interface StreamMode {
  push(chunk: Uint8Array): StreamStep
  /** The provider's bytes have ended. */
  finish(): StreamStep
  readonly usage: Usage | undefined
  readonly stopReason: string | undefined
  /** Tokens of the output so far, by what went through. */
  readonly outputTokensEstimate: number
  /** What was out of order in the provider's events and had to be mended. */
  readonly repairs: readonly string[]
  /** Calls whose arguments were no JSON, as far as anybody looked. */
  readonly brokenCalls: number
}

const NOTHING = new Uint8Array(0)
/** A fifth of what `Buffer.from` takes for the length of an event. */
const UTF_8 = new TextEncoder()
const CHARACTERS_PER_TOKEN = 4
/**
 * The longest stream that is translated: decoders and encoders hold parts of an answer, some all of it. Four times what a plain
 * reply may have, since events repeat much.
 */
export const ANSWER_BYTES_MAX = 256 * 1024 * 1024

export interface RawOptions {
  readonly observer?: StreamDecoder
  readonly rename?: RenameModel
}

export class RawMode implements StreamMode {
  readonly #framer: Framer
  readonly #watcher: StreamWatcher
  readonly #streamEnd: string
  readonly repairs = []
  readonly brokenCalls = 0
  /** Tells thinking from the rest, until there is something else; undefined where nobody asks. */
  #observer: StreamDecoder | undefined
  readonly #rename: RenameModel | undefined
  readonly #delivered = new Delivered()

  /** `streamEnd`: the event that a client waits for, should the provider leave it out. */
  constructor(framer: Framer, watcher: StreamWatcher, streamEnd: string, more: RawOptions = {}) {
    this.#framer = framer
    this.#watcher = watcher
    this.#streamEnd = streamEnd
    this.#observer = more.observer
    this.#rename = more.rename
  }

  get usage(): Usage | undefined {
    return this.#watcher.usage
  }

  get stopReason(): string | undefined {
    return this.#watcher.stopReason
  }

  get outputTokensEstimate(): number {
    return this.#delivered.tokens
  }

  push(chunk: Uint8Array): StreamStep {
    const frames = this.#framer.push(chunk)
    const step = this.#watch(frames)
    return this.#framer.overflowed && step.failure === undefined ? { ...step, failure: tooLong() } : step
  }

  finish(): StreamStep {
    const last = this.#framer.finish()
    const step = last === undefined ? EMPTY_STEP : this.#watch([last])
    if (step.ended || step.failure !== undefined) return step
    const early = this.#watcher.finish()
    if (early !== undefined) return { ...step, failure: early }
    return { ...step, bytes: Buffer.concat([step.bytes, encoded(this.#streamEnd)]), ended: true }
  }

  #watch(frames: readonly Frame[]): StreamStep {
    const passing: Uint8Array[] = []
    let content = false
    let answers = false
    for (const frame of frames) {
      const watched = this.#watcher.push(frame)
      if (watched.failure !== undefined)
        return { bytes: joined(passing), content, answers, ended: false, failure: watched.failure }
      if (watched.content) {
        content = true
        this.#delivered.push(frame)
      }
      answers ||= this.#answers(frame, watched.content)
      if (!watched.omit) passing.push(this.#rename === undefined ? frame.bytes : this.#rename(frame.bytes))
      if (watched.ended) return { bytes: joined(passing), content, answers, ended: true, failure: undefined }
    }
    return { bytes: joined(passing), content, answers, ended: false, failure: undefined }
  }

  #answers(frame: Frame, content: boolean): boolean {
    if (this.#observer === undefined) return content
    if (!this.#observer.push(frame).some(isAnswer)) return false
    this.#observer = undefined
    return true
  }
}

export class RewrittenMode implements StreamMode {
  readonly #framer: Framer
  readonly #decoder: StreamDecoder
  readonly #encoder: StreamEncoder
  readonly #guard = new EventGuard()
  readonly #calls = new BrokenArguments()
  #bytes = 0
  #characters = 0
  #usage: Usage | undefined
  #stopReason: string | undefined
  readonly #seam: Seam | undefined

  /** `seam`: the events go on with an answer that `encoder` has begun. */
  constructor(framer: Framer, decoder: StreamDecoder, encoder: StreamEncoder, seam?: Seam) {
    this.#framer = framer
    this.#decoder = decoder
    this.#encoder = encoder
    this.#seam = seam
  }

  get usage(): Usage | undefined {
    return this.#usage
  }

  get stopReason(): string | undefined {
    return this.#stopReason
  }

  get outputTokensEstimate(): number {
    return Math.ceil(this.#characters / CHARACTERS_PER_TOKEN)
  }

  get repairs(): readonly string[] {
    return this.#guard.repairs
  }

  get brokenCalls(): number {
    return this.#calls.count
  }

  push(chunk: Uint8Array): StreamStep {
    this.#bytes += chunk.length
    if (this.#bytes > ANSWER_BYTES_MAX) return { ...EMPTY_STEP, failure: TOO_LONG_AN_ANSWER }
    const frames = this.#framer.push(chunk)
    const step = this.encode(this.#decoded(frames))
    return this.#framer.overflowed && step.failure === undefined ? { ...step, failure: tooLong() } : step
  }

  /** Mostly one event comes at a time, whose list needs no other. */
  #decoded(frames: readonly Frame[]): readonly ChatEvent[] {
    const [first] = frames
    if (first !== undefined && frames.length === 1) return this.#decoder.push(first)
    return frames.flatMap((frame) => this.#decoder.push(frame))
  }

  finish(): StreamStep {
    const last = this.#framer.finish()
    const events = last === undefined ? [] : this.#decoder.push(last)
    const rest = this.#guard.pass([...events, ...this.#decoder.finish()])
    return this.#write([...rest, ...this.#guard.finish()])
  }

  /** Writes events that are there already, for a provider that answered plainly where a stream was asked for. */
  encode(events: readonly ChatEvent[]): StreamStep {
    return this.#write(this.#guard.pass(events))
  }

  #write(events: readonly ChatEvent[]): StreamStep {
    let text = ''
    let content = false
    let answers = false
    let ended = false
    for (const event of this.#noted(events)) {
      if (event.type === 'failure')
        return { bytes: encoded(text), content, answers, ended: false, failure: event.failure }
      content ||= CONTENT.has(event.type)
      answers ||= isAnswer(event)
      ended ||= event.type === 'end'
      text += this.#encoder.push(event)
    }
    return { bytes: encoded(text), content, answers, ended, failure: undefined }
  }

  /** What becomes of them: behind a seam others go on. */
  #noted(events: readonly ChatEvent[]): readonly ChatEvent[] {
    for (const event of events) this.#note(event)
    const seam = this.#seam
    return seam === undefined ? events : events.flatMap((event) => seam.push(event))
  }

  #note(event: ChatEvent): void {
    this.#calls.note(event)
    if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'finish') this.#stopReason = event.finish.raw ?? event.finish.reason
    else if ('text' in event) this.#characters += event.text.length
  }
}

const ANSWERS = ['text-delta', 'refusal-delta', 'tool-call-start', 'foreign'] as const
const ANSWER: ReadonlySet<ChatEvent['type']> = new Set(ANSWERS)
const CONTENT: ReadonlySet<ChatEvent['type']> = new Set([...ANSWERS, 'reasoning-delta', 'reasoning-end'])

function isAnswer(event: ChatEvent): boolean {
  return ANSWER.has(event.type)
}

export const EMPTY_STEP: StreamStep = {
  bytes: NOTHING,
  content: false,
  answers: false,
  ended: false,
  failure: undefined,
}

function encoded(text: string): Uint8Array {
  return text === '' ? NOTHING : UTF_8.encode(text)
}

/** Frames of one read lie side by side, so that mostly nothing is copied. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces
  const last = pieces.at(-1)
  if (first === undefined || last === undefined) return NOTHING
  if (pieces.length === 1) return first
  const span = last.byteOffset + last.length - first.byteOffset
  const sameMemory = last.buffer === first.buffer && span === pieces.reduce((sum, piece) => sum + piece.length, 0)
  return sameMemory ? new Uint8Array(first.buffer, first.byteOffset, span) : Buffer.concat(pieces)
}

function tooLong(): Failure {
  return failure('server', 'The provider sent an event that is broken, or longer than the gateway accepts.')
}

const TOO_LONG_AN_ANSWER = failure('server', 'The provider sent a longer answer than the gateway translates.')
