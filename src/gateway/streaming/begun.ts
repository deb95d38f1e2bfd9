/**
 * An answer as far as its client has it: kept where the rules let a cut answer be gone on with. Whoever goes on writes through the
 * same encoder, behind a seam.
 */
import type { Usage } from '../../core/usage.ts'
import type { StreamEncoder } from '../../dialects/dialect.ts'
import type { ChatEvent } from '../../dialects/neutral.ts'
import { Seam } from './seam.ts'

/** A longer answer is not gone on with. About 100,000 tokens. */
const TEXT_CHARACTERS_MAX = 400_000
const CHARACTERS_PER_TOKEN = 4

export class Begun {
  readonly encoder: StreamEncoder
  readonly #whole: string[] = []
  /** The text that is open, in pieces. */
  #open: string[] | undefined
  #characters = 0
  #isTextAlone = true
  #usage: Usage | undefined

  constructor(encoder: StreamEncoder) {
    this.encoder = {
      push: (event) => {
        this.#note(event)
        return encoder.push(event)
      },
    }
  }

  /**
   * The texts so far, the last one open; undefined where nothing can go on from them: outside of a text, inside of a character, after
   * anything but thinking and text, and beyond what is kept.
   */
  get texts(): readonly string[] | undefined {
    if (this.#open === undefined || !this.#isTextAlone || this.#characters > TEXT_CHARACTERS_MAX) return undefined
    const last = this.#open.join('')
    return last.isWellFormed() ? [...this.#whole, last] : undefined
  }

  /** Tokens of the texts so far, estimated. */
  get tokensEstimate(): number {
    return Math.ceil(this.#characters / CHARACTERS_PER_TOKEN)
  }

  seam(): Seam {
    return new Seam({ text: this.#open?.join('') ?? '', usage: this.#spent })
  }

  /** Providers tell the output at the end alone, so of what was cut it is an estimate. */
  get #spent(): Usage | undefined {
    const usage = this.#usage
    return usage && { ...usage, output: Math.max(usage.output, this.tokensEstimate), estimated: true }
  }

  #note(event: ChatEvent): void {
    if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'text-start') this.#open = []
    else if (event.type === 'text-delta') this.#add(event.text)
    else if (event.type === 'text-end') this.#close()
    else if (OTHERS.has(event.type)) this.#isTextAlone = false
  }

  #add(text: string): void {
    this.#characters += text.length
    if (this.#characters <= TEXT_CHARACTERS_MAX) this.#open?.push(text)
  }

  #close(): void {
    if (this.#open !== undefined) this.#whole.push(this.#open.join(''))
    this.#open = undefined
  }
}

const OTHERS: ReadonlySet<ChatEvent['type']> = new Set(['tool-call-start', 'refusal-start', 'foreign'])
