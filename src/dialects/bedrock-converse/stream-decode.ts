/**
 * Events of ConverseStream → ChatEvents. Total: whatever comes in, what goes out is in the legal order and ends. The reason to
 * stop and the usage come in either order; the answer is over when both are there, or when the bytes end after the reason.
 */
import type { Frame } from '../../core/framing/frame.ts'
import { asNumber, asObject, isObject, type JsonObject, parseJson } from '../../core/json.ts'
import { BlockOrder, TOO_MUCH_WAITS, type BlockEvent } from '../answer/block-order.ts'
import { brokenAnswer, endedEarly } from '../answer/broken-answer.ts'
import type { ReplyContext, StreamDecoder } from '../dialect.ts'
import { EventWriter } from '../answer/event-writer.ts'
import type { ChatEvent } from '../neutral.ts'
import { BlockTeller } from './block-decode.ts'
import { BROKEN_OUTPUT, exceptionFailure } from './failure.ts'
import { decodeFinish, isBroken, readStop, type WireStop } from './stop-reason.ts'
import { UNTOLD_USAGE, usageOf } from './usage.ts'

const EXCEPTION = 'exception:'

export class ConverseDecoder implements StreamDecoder {
  readonly #writer: EventWriter
  readonly #teller: BlockTeller
  readonly #order = new BlockOrder()
  #stop: WireStop | undefined
  #toldUsage = false

  constructor(context: ReplyContext) {
    this.#writer = new EventWriter(context)
    this.#teller = new BlockTeller(this.#writer)
  }

  push({ event, data }: Frame): readonly ChatEvent[] {
    if (this.#writer.ended) return []
    if (data === '') return this.#ping()
    const body = parseJson(data)
    if (event.startsWith(EXCEPTION)) {
      this.#writer.fail(exceptionFailure(event.slice(EXCEPTION.length), isObject(body) ? body : {}))
    } else if (isObject(body)) this.#handle(event, body)
    else this.#writer.fail(brokenAnswer('holds an event that is not JSON'))
    return this.#writer.take()
  }

  finish(): readonly ChatEvent[] {
    if (this.#writer.ended) return []
    if (this.#stop === undefined) this.#writer.fail(endedEarly(this.#writer.any))
    else this.#end(this.#stop)
    return this.#writer.take()
  }

  #ping(): readonly ChatEvent[] {
    this.#writer.ping()
    return this.#writer.take()
  }

  #handle(event: string, body: JsonObject): void {
    switch (event) {
      case 'messageStart':
        return this.#writer.start()
      case 'contentBlockStart':
        return this.#tell(body, { type: 'start', start: asObject(body['start']) ?? {} })
      case 'contentBlockDelta':
        return this.#tell(body, { type: 'delta', delta: asObject(body['delta']) ?? {} })
      case 'contentBlockStop':
        return this.#tell(body, { type: 'stop' })
      case 'messageStop':
        this.#stop = readStop(body) ?? { reason: '', sequence: undefined }
        return this.#endWhenTold()
      case 'metadata':
        this.#usage(body)
        return this.#endWhenTold()
    }
  }

  #tell(body: JsonObject, event: BlockEvent): void {
    for (const one of this.#order.push(asNumber(body['contentBlockIndex']) ?? 0, event)) this.#teller.tell(one)
    if (this.#order.overflowed) this.#writer.fail(TOO_MUCH_WAITS)
  }

  #usage(body: JsonObject): void {
    const usage = usageOf(body)
    if (usage !== undefined) this.#writer.usage(usage)
    this.#toldUsage = true
  }

  #endWhenTold(): void {
    if (this.#stop !== undefined && this.#toldUsage) this.#end(this.#stop)
  }

  #end(stop: WireStop): void {
    for (const event of this.#order.finish()) this.#teller.tell(event)
    if (isBroken(stop)) return this.#writer.fail(BROKEN_OUTPUT)
    if (!this.#toldUsage) this.#writer.usage(UNTOLD_USAGE)
    this.#writer.end(decodeFinish(stop, this.#writer.hasCalls))
  }
}
