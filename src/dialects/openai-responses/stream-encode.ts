/**
 * ChatEvents → the events of a streamed response. Every item is announced, filled and closed under one output index and one id,
 * and the same objects stand in the terminal snapshot: clients take that snapshot for the answer.
 */
import type { Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'
import { KEEP_ALIVE } from '../answer/sse.ts'
import type { ClientContext, StreamEncoder } from '../dialect.ts'
import type { ChatEvent, Finish, ForeignPart } from '../neutral.ts'
import { wholeCharacters } from '../answer/whole-characters.ts'
import { responseError } from './failure.ts'
import { CallItem } from './call-encode.ts'
import type { Announce, Item } from './item.ts'
import { MessageItem } from './message-encode.ts'
import { ReasoningItem } from './reasoning-encode.ts'
import { responseBase } from './response.ts'
import { encodeToolUsage, encodeUsage } from './usage.ts'
import { ID, sse, type WireEvent } from './wire.ts'

export function streamEncoder(context: ClientContext): StreamEncoder {
  return wholeCharacters(new ResponseEncoder(context))
}

export class ResponseEncoder implements StreamEncoder {
  readonly #context: ClientContext
  readonly #base: JsonObject
  readonly #output: JsonObject[] = []
  #text = ''
  #sequence = 0
  #began = false
  #sawRefusal = false
  #item: Item | undefined
  #usage: Usage
  #response: JsonObject

  constructor(context: ClientContext) {
    this.#context = context
    this.#base = responseBase(context)
    this.#usage = { ...NO_USAGE, inputUncached: context.inputTokensEstimate, estimated: true }
    this.#response = this.#base
  }

  /** The response as far as it has come; after the end, the whole answer. */
  get answer(): JsonObject {
    return this.#response
  }

  push(event: ChatEvent): string {
    this.#text = ''
    if (event.type === 'ping') return KEEP_ALIVE
    if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'finish') this.#finish(event.finish)
    else if (event.type === 'failure') this.#fail(event.failure)
    else if (event.type === 'foreign') this.#foreign(event.part)
    else this.#part(event)
    return this.#text
  }

  #part(event: ChatEvent): void {
    if (event.type === 'refusal-delta') this.#sawRefusal = true
    switch (event.type) {
      case 'text-start':
      case 'refusal-start':
        if (!(this.#item instanceof MessageItem)) this.#open(new MessageItem(this.#announce, this.#context))
        break
      case 'reasoning-start':
        this.#open(new ReasoningItem(this.#announce, this.#context))
        break
      case 'tool-call-start':
        this.#open(new CallItem(this.#announce, this.#context, event))
        break
    }
    this.#item?.push(event)
    // A message stays open for a second part; everything else is one part.
    if (event.type === 'reasoning-end' || event.type === 'tool-call-end') this.#close()
  }

  readonly #announce: Announce = (event) => {
    this.#begin()
    this.#emit({ ...event, output_index: this.#output.length })
  }

  #open(item: Item): void {
    this.#close()
    this.#item = item
  }

  #close(isCut = false): void {
    const done = this.#item?.close(isCut)
    this.#item = undefined
    if (done !== undefined) this.#output.push(done)
  }

  /** The first events wait for the first content: until then the answer may still come from elsewhere. */
  #begin(): void {
    if (this.#began) return
    this.#began = true
    const response = { ...this.#base, status: 'in_progress', output: [], usage: null }
    this.#emit({ type: 'response.created', response })
    this.#emit({ type: 'response.in_progress', response })
  }

  #foreign(part: ForeignPart): void {
    if (part.origin !== ID) return
    this.#close()
    this.#announce({ type: 'response.output_item.added', item: part.raw })
    this.#announce({ type: 'response.output_item.done', item: part.raw })
    this.#output.push(part.raw)
  }

  #finish({ reason }: Finish): void {
    // A refusal in words is a complete answer; a filter that cut the answer leaves an incomplete one.
    const isFiltered = reason === 'refusal' && !this.#sawRefusal
    const detail = isFiltered ? 'content_filter' : INCOMPLETE[reason]
    this.#close(detail !== undefined)
    this.#end(
      detail === undefined ? { status: 'completed' } : { status: 'incomplete', incomplete_details: { reason: detail } },
    )
  }

  #fail(failed: Failure): void {
    const partial = this.#item?.abandon()
    this.#item = undefined
    if (partial !== undefined) this.#output.push(partial)
    this.#end({ status: 'failed', error: responseError(failed) })
  }

  #end(ending: JsonObject & { readonly status: string }): void {
    this.#begin()
    const usage = encodeUsage(this.#usage)
    // What was used, where the provider says it; `auto` is only ever a wish.
    const service_tier = usedTier(this.#usage)
    const counted = { usage, ...encodeToolUsage(this.#usage) }
    this.#response = { ...this.#base, service_tier, ...ending, output: this.#output, ...counted }
    this.#emit({ type: `response.${ending.status}`, response: this.#response })
  }

  #emit(event: WireEvent): void {
    const { type, ...rest } = event
    this.#text += sse({ type, sequence_number: this.#sequence++, ...rest })
  }
}

const INCOMPLETE: Partial<Record<Finish['reason'], string>> = {
  length: 'max_output_tokens',
  context: 'max_output_tokens',
}

function usedTier({ tier }: Usage): string {
  return tier === undefined || tier === 'standard' ? 'default' : tier
}
