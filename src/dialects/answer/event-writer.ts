/**
 * Writes an answer's events in their legal order, for formats that tell parts one after the other: the start before everything,
 * one part open at a time, every part closed before the end, and nothing after it.
 */
import { failure, type Failure } from '../../core/failure.ts'
import type { Usage } from '../../core/usage.ts'
import { newCallId } from '../tools/call-id.ts'
import type { ReplyContext } from '../dialect.ts'
import { unwrapFreeText } from '../tools/free-text-tool.ts'
import { NAMELESS_CALL } from '../tools/nameless-call.ts'
import type { ChatEvent, Citation, Finish, TokenOdds } from '../neutral.ts'
import { withOdds } from './token-odds.ts'

type Kind = 'text' | 'reasoning'

interface OpenCall {
  readonly isFreeText: boolean
  /** What a tool of free text was called with so far; it is told when it is whole. */
  held: string
}

export class EventWriter {
  readonly #context: ReplyContext
  #events: ChatEvent[] = []
  #started = false
  #ended = false
  #open: Kind | undefined
  #call: OpenCall | undefined
  #citations: Citation[] = []
  #odds: TokenOdds[] = []
  #signature = ''
  readonly #callIds = new Set<string>()
  #any = false

  constructor(context: ReplyContext) {
    this.#context = context
  }

  get ended(): boolean {
    return this.#ended
  }

  /** Whether any part was told. */
  get any(): boolean {
    return this.#any
  }

  get hasCalls(): boolean {
    return this.#callIds.size > 0
  }

  /** The events since the last call. */
  take(): readonly ChatEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** Has an effect once. */
  start(id?: string, model?: string): void {
    if (this.#started) return
    this.#started = true
    const names = { ...(id ? { id } : {}), ...(model ? { model } : {}) }
    this.#events.push({ type: 'start', ...names })
  }

  ping(): void {
    if (!this.#ended) this.#events.push({ type: 'ping' })
  }

  usage(usage: Usage): void {
    if (this.#ended) return
    this.start()
    this.#events.push({ type: 'usage', usage })
  }

  /** Text opens a part of its kind, and closes one of another kind. An empty text opens nothing. */
  say(kind: Kind, text: string): void {
    if (text === '' || this.#ended) return
    if (this.#open !== kind) this.#openPart(kind)
    this.#events.push({ type: `${kind}-delta`, text })
  }

  /** State of the thinking that is told, which goes back to its vendor with it; thinking without words begins here. */
  sign(signature: string): void {
    if (signature === '' || this.#ended) return
    if (this.#open !== 'reasoning') this.#openPart('reasoning')
    this.#signature = signature
  }

  /** Thinking of which the vendor shows nothing but its state. */
  hide(blob: string): void {
    if (this.#ended) return
    this.#openPart('reasoning')
    this.#open = undefined
    const opaque = { vendor: this.#context.vendor, kind: 'redacted', blob } as const
    this.#events.push({ type: 'reasoning-end', opaque, redacted: true })
  }

  /** Belongs to the text that is being told, or that is told next. */
  cite(citation: Citation): void {
    this.#citations.push(citation)
  }

  /** Of the text that is being told. */
  weigh(odds: readonly TokenOdds[]): void {
    if (this.#open === 'text') this.#odds.push(...odds)
  }

  /** A call that has no name fails the answer. */
  beginCall(id: string | undefined, sentName: string): void {
    if (sentName === '') return this.fail(NAMELESS_CALL)
    if (this.#ended) return
    this.closePart()
    this.start()
    this.#any = true
    const isFreeText = this.#context.customTools?.has(sentName) ?? false
    this.#call = { isFreeText, held: '' }
    this.#events.push({
      type: 'tool-call-start',
      id: this.#freshId(id),
      name: this.#context.toolNames.get(sentName) ?? sentName,
      kind: isFreeText ? 'custom' : 'function',
    })
  }

  /** Arguments of the call that is open. Without one they would be lost, and a call without some of its arguments must not run. */
  callText(text: string): void {
    if (text === '' || this.#ended) return
    if (this.#call === undefined) return text.trim() === '' ? undefined : this.fail(HOMELESS_ARGUMENTS)
    if (this.#call.isFreeText) this.#call.held += text
    else this.#events.push({ type: 'tool-call-delta', text })
  }

  /** `complete`: false when a limit cut the arguments. */
  endCall(complete: boolean): void {
    const call = this.#call
    if (call === undefined || this.#ended) return
    const text = call.isFreeText ? unwrapFreeText(call.held) : ''
    if (text !== '') this.#events.push({ type: 'tool-call-delta', text })
    this.#call = undefined
    this.#events.push({ type: 'tool-call-end', complete })
  }

  /** Closes what is open: a call as a whole one. */
  closePart(): void {
    this.endCall(true)
    const kind = this.#open
    if (kind === undefined || this.#ended) return
    this.#open = undefined
    if (kind === 'reasoning') {
      // Thinking without state of its own still says who thought it, so that it goes back to nobody else.
      const opaque = { vendor: this.#context.vendor, kind: 'signature', blob: this.#signature } as const
      this.#signature = ''
      this.#events.push({ type: 'reasoning-end', opaque, redacted: false })
    } else {
      const odds = withOdds(this.#odds)
      this.#odds = []
      this.#events.push({ type: 'text-end', ...this.#takeCitations(), ...odds })
    }
  }

  fail(failed: Failure): void {
    if (this.#ended) return
    this.#ended = true
    this.#events.push({ type: 'failure', failure: failed }, { type: 'end' })
  }

  end(finish: Finish): void {
    if (this.#ended) return
    this.start()
    this.closePart()
    this.#ended = true
    this.#events.push({ type: 'finish', finish }, { type: 'end' })
  }

  #openPart(kind: Kind): void {
    this.closePart()
    this.start()
    this.#any = true
    this.#open = kind
    this.#events.push({ type: `${kind}-start` })
  }

  /** The provider's id, unless it has none or said it before in this answer. */
  #freshId(id: string | undefined): string {
    const fresh = id === undefined || id === '' || this.#callIds.has(id) ? newCallId(this.#context.random) : id
    this.#callIds.add(fresh)
    return fresh
  }

  #takeCitations(): { readonly citations?: readonly Citation[] } {
    const citations = this.#citations
    this.#citations = []
    return citations.length === 0 ? {} : { citations }
  }
}

const HOMELESS_ARGUMENTS: Failure = failure('server', 'The provider sent arguments for a tool call that was not open.')
