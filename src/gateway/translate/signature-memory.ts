/**
 * Vendor state for clients whose format has no place for it. What a model thought before it called a tool is kept under the call's
 * id and put back when the client answers that call, so that the vendor finds its own thinking unchanged. A client that does bring
 * such state along is believed. In memory alone; a gateway key gets back what it was given and nothing else.
 */
import { BoundedMap, type Bounds } from '../../core/bounded-map.ts'
import { DAY_MS } from '../../core/duration.ts'
import type { ChatEvent, ChatRequest, Message, Part, ReasoningPart } from '../../dialects/neutral.ts'

/** A day of tool calls, a few kilobytes each. */
export const SIGNATURE_BOUNDS: Bounds = {
  entriesPerOwnerMax: 20_000,
  bytesMax: 64 * 1024 * 1024,
  ttlMs: DAY_MS,
}

/** What came before a call. */
export interface Thought {
  /** Before everything else in the answer; only with its first call, and only when something was said in between. */
  readonly lead: readonly ReasoningPart[]
  /** Right before the call. */
  readonly before: readonly ReasoningPart[]
}

export class SignatureMemory {
  readonly #thoughts: BoundedMap<Thought>

  constructor(bounds: Bounds = SIGNATURE_BOUNDS) {
    this.#thoughts = new BoundedMap(bounds)
  }

  get size(): number {
    return this.#thoughts.size
  }

  get bytes(): number {
    return this.#thoughts.bytes
  }

  remember(keyId: string, callId: string, thought: Thought, nowMs: number): void {
    const bytes = [...thought.lead, ...thought.before].reduce((sum, part) => sum + bytesOf(part), 0)
    this.#thoughts.set(keyId, callId, thought, bytes, nowMs)
  }

  recall(keyId: string, callId: string, nowMs: number): Thought | undefined {
    return this.#thoughts.get(keyId, callId, nowMs)
  }
}

function bytesOf({ text, opaque }: ReasoningPart): number {
  return Buffer.byteLength(text) + (opaque?.blob.length ?? 0)
}

/** Gathers, from the events of one answer, what came before each of its calls. */
export class Thoughts {
  readonly #byCall = new Map<string, Thought>()
  #lead: readonly ReasoningPart[] = []
  #pending: ReasoningPart[] = []
  #text: string[] = []
  #hasBegun = false

  /** Only calls before which there was state of a vendor. */
  get byCall(): ReadonlyMap<string, Thought> {
    return this.#byCall
  }

  push(event: ChatEvent): void {
    switch (event.type) {
      case 'reasoning-delta':
        this.#text.push(event.text)
        break
      case 'reasoning-end':
        this.#pending.push(partOf(this.#text.join(''), event))
        this.#text = []
        break
      case 'text-start':
      case 'refusal-start':
        if (!this.#hasBegun) this.#lead = this.#take()
        this.#hasBegun = true
        break
      case 'tool-call-start':
        this.#called(event.id)
        break
    }
  }

  #called(id: string): void {
    const thought = { lead: this.#lead, before: this.#take() }
    this.#lead = []
    this.#hasBegun = true
    if ([...thought.lead, ...thought.before].some(hasState)) this.#byCall.set(id, thought)
  }

  #take(): readonly ReasoningPart[] {
    const taken = this.#pending
    this.#pending = []
    return taken
  }
}

function partOf(text: string, { opaque, redacted }: Extract<ChatEvent, { type: 'reasoning-end' }>): ReasoningPart {
  return { type: 'reasoning', text, redacted, ...(opaque === undefined ? {} : { opaque }) }
}

function hasState({ opaque }: ReasoningPart): boolean {
  return opaque !== undefined && opaque.blob !== ''
}

/** The conversation with what was thought before its calls; the same object when nothing is known of them. */
export function withThoughts(request: ChatRequest, recall: (callId: string) => Thought | undefined): ChatRequest {
  const messages = request.messages.map((message) => thoughtful(message, recall))
  return messages.every((message, index) => message === request.messages[index]) ? request : { ...request, messages }
}

function thoughtful(message: Message, recall: (callId: string) => Thought | undefined): Message {
  const thoughts = new Map<string, Thought>()
  for (const part of message.parts) {
    const thought = part.type === 'tool-call' ? recall(part.id) : undefined
    if (part.type === 'tool-call' && thought !== undefined) thoughts.set(part.id, thought)
  }
  const known = [...thoughts.values()].flatMap(({ lead, before }) => [...lead, ...before])
  if (known.length === 0 || bringsOther(message.parts, known)) return message
  return { ...message, parts: rearranged(message.parts, thoughts) }
}

/** The client's own copy counts, unless it is the one that it was given: that lacks only the order. */
function bringsOther(parts: readonly Part[], known: readonly ReasoningPart[]): boolean {
  const isKnown = ({ text, opaque }: ReasoningPart): boolean =>
    known.some((part) => part.text === text && part.opaque?.blob === opaque?.blob)
  return parts.some((part) => part.type === 'reasoning' && hasState(part) && !isKnown(part))
}

function rearranged(parts: readonly Part[], thoughts: ReadonlyMap<string, Thought>): readonly Part[] {
  const lead = [...thoughts.values()].flatMap((thought) => thought.lead)
  const rest = parts.filter(({ type }) => type !== 'reasoning')
  const placed = rest.flatMap((part): readonly Part[] =>
    part.type === 'tool-call' ? [...(thoughts.get(part.id)?.before ?? []), part] : [part],
  )
  return [...lead, ...placed]
}
