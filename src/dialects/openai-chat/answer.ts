/** One answer as it grows: what deltas mean, in the order in which they came, becomes events in their legal order. */
import type { Failure } from '../../core/failure.ts'
import type { Json } from '../../core/json.ts'
import type { Usage } from '../../core/usage.ts'
import { CUT, EMPTY } from '../answer/broken-answer.ts'
import type { ReplyContext } from '../dialect.ts'
import type { ChatEvent, Citation, Finish, Opaque, TokenOdds } from '../neutral.ts'
import { withOdds } from '../answer/token-odds.ts'
import { inPart } from './citations.ts'
import { ReasoningDetails } from './reasoning-details.ts'
import { ThinkTags } from './think-tags.ts'
import { type ToolFragment, ToolFragments } from './tool-fragments.ts'
import { finishOf } from './wire.ts'

type Kind = 'text' | 'reasoning' | 'refusal'

/** How the bytes ended: with the format's own mark, without it, or as one plain reply. */
export type Ending = 'marked' | 'unmarked' | 'plain'

export class Answer {
  readonly #context: ReplyContext
  readonly #tools: ToolFragments
  readonly #details = new ReasoningDetails()
  readonly #thinkTags: ThinkTags | undefined
  #events: ChatEvent[] = []
  #started = false
  #ended = false
  #open: Kind | undefined
  #any = false
  #plainReasoning = false
  #lastReasoning = ''
  #refusal = false
  #citations: Citation[] = []
  #odds: TokenOdds[] = []
  /** Characters of text before the part that is open, and with it. */
  #textStart = 0
  #text = 0
  #word: string | undefined
  #hasUsage = false

  constructor(context: ReplyContext) {
    this.#context = context
    const { random, toolNames, quirks } = context
    this.#tools = new ToolFragments({ random, toolNames, nameFragments: quirks.nameFragments === true })
    this.#thinkTags = quirks.splitThinkTags === true ? new ThinkTags() : undefined
  }

  get ended(): boolean {
    return this.#ended
  }

  get hasUsage(): boolean {
    return this.#hasUsage
  }

  /** The events since the last call. */
  take(): readonly ChatEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** Has an effect once; what follows repeats it in most streams. */
  start(id: string | undefined, model: string | undefined): void {
    if (this.#started) return
    this.#started = true
    this.#events.push({
      type: 'start',
      ...(id === undefined || id === '' ? {} : { id }),
      ...(model === undefined || model === '' ? {} : { model }),
    })
  }

  ping(): void {
    this.#events.push({ type: 'ping' })
  }

  usage(usage: Usage): void {
    this.#hasUsage = true
    this.start(undefined, undefined)
    this.#events.push({ type: 'usage', usage })
  }

  /** Text of the answer, in which some hosts hide thinking. */
  content(text: string): void {
    if (this.#thinkTags === undefined) this.#say('text', text)
    else for (const piece of this.#thinkTags.push(text)) this.#say(piece.kind, piece.text)
  }

  reasoning(text: string): void {
    if (text === '' || (this.#context.quirks.repeatsReasoning === true && text === this.#lastReasoning)) return
    this.#lastReasoning = text
    this.#plainReasoning = true
    this.#say('reasoning', text)
  }

  refusal(text: string): void {
    this.#say('refusal', text)
  }

  /** Takes a list of `reasoning_details`; its text counts only where the host has no plain field for it. */
  reasoningDetails(list: Json | undefined): void {
    const text = this.#details.push(list)
    if (!this.#plainReasoning) this.#say('reasoning', text)
  }

  /** Sources of the text that is open or comes next. */
  cite(citations: readonly Citation[]): void {
    this.#citations.push(...citations)
  }

  /** Of the text that is open. */
  weigh(odds: readonly TokenOdds[]): void {
    if (this.#open === 'text') this.#odds.push(...odds)
  }

  tool(fragment: ToolFragment): void {
    if (this.#ended) return
    const events = this.#tools.push(fragment)
    if (events.length > 0) this.#closePart()
    for (const event of events) this.#emit(event)
    if (this.#tools.failure !== undefined) this.fail(this.#tools.failure)
  }

  /** The host's reason to stop; more may follow all the same. */
  stop(word: string): void {
    this.#word = word
  }

  fail(failed: Failure): void {
    if (this.#ended) return
    this.#ended = true
    this.#events.push({ type: 'failure', failure: failed }, { type: 'end' })
  }

  /** Nothing follows any more: closes what is open and says how it ended. */
  end(ending: Ending): void {
    if (this.#ended) return
    for (const piece of this.#thinkTags?.finish() ?? []) this.#say(piece.kind, piece.text)
    const early = this.#endsEarly(ending)
    if (early !== undefined) return this.fail(early)
    this.start(undefined, undefined)
    this.#closeAll()
    if (this.#tools.failure !== undefined) return this.fail(this.#tools.failure)
    this.#ended = true
    this.#events.push({ type: 'finish', finish: this.#finish() }, { type: 'end' })
  }

  /** A missing reason to stop is a broken answer, never a made-up normal end; hosts that never give one are known by a quirk. */
  #endsEarly(ending: Ending): Failure | undefined {
    if (this.#word !== undefined) return undefined
    const any = this.#any || this.#tools.any || this.#details.hasState
    if (!any) return EMPTY
    const lax = this.#context.quirks.endsWithoutFinish === true && !this.#tools.any
    return ending === 'unmarked' && !lax ? CUT : undefined
  }

  #closeAll(): void {
    this.#closePart()
    const cut = this.#word !== undefined && this.#finish().reason === 'length'
    for (const event of this.#tools.close(true, cut)) this.#emit(event)
    this.#sayHiddenState()
  }

  #finish(): Finish {
    return finishOf(this.#word, { calls: this.#tools.any, refusal: this.#refusal })
  }

  #say(kind: Kind, text: string): void {
    if (text === '' || this.#ended) return
    if (this.#open !== kind) this.#openPart(kind)
    this.#emit({ type: `${kind}-delta`, text })
  }

  #openPart(kind: Kind): void {
    this.start(undefined, undefined)
    this.#closePart()
    for (const event of this.#tools.close(false, false)) this.#emit(event)
    if (kind !== 'reasoning') this.#sayHiddenState()
    this.#open = kind
    this.#any = true
    this.#refusal ||= kind === 'refusal'
    this.#emit({ type: `${kind}-start` })
  }

  #closePart(): void {
    const kind = this.#open
    this.#open = undefined
    if (kind === 'reasoning') this.#emit({ type: 'reasoning-end', opaque: this.#takeOpaque(), redacted: false })
    else if (kind === 'refusal') this.#emit({ type: 'refusal-end' })
    else if (kind === 'text') {
      const citations = this.#citations.map((citation) => inPart(citation, this.#textStart, this.#text))
      this.#citations = []
      this.#textStart = this.#text
      const odds = withOdds(this.#odds)
      this.#odds = []
      this.#emit({ type: 'text-end', ...(citations.length === 0 ? {} : { citations }), ...odds })
    }
  }

  /** Opaque state without any text to go with it becomes a part of its own. */
  #sayHiddenState(): void {
    if (!this.#details.hasState) return
    this.#emit({ type: 'reasoning-start' })
    this.#emit({ type: 'reasoning-end', opaque: this.#takeOpaque(), redacted: true })
  }

  /** Thinking without state of its own still says who thought it, so that it goes back to nobody else. */
  #takeOpaque(): Opaque {
    const { vendor } = this.#context
    return this.#details.take(vendor) ?? { vendor, kind: 'signature', blob: '' }
  }

  #emit(event: ChatEvent): void {
    this.start(undefined, undefined)
    if (event.type === 'text-delta') this.#text += event.text.length
    this.#events.push(event)
  }
}
