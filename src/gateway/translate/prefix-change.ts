/**
 * Thinking that does not fit its conversation any more: a provider binds it to what stood before, to the account and to the
 * model, so a changed set of skills or another account makes it refuse the request. Then the same target is asked once more
 * without it. What was refused is remembered for the account, so that later turns leave out exactly that and keep what the
 * model has thought since.
 */
import { createHash } from 'node:crypto'
import { BoundedMap, type Bounds } from '../../core/bounded-map.ts'
import { DAY_MS } from '../../core/duration.ts'
import type { IsRefused } from '../../dialects/dialect.ts'
import type { ChatRequest, Message, Part } from '../../dialects/neutral.ts'

const BOUNDS: Bounds = { entriesPerOwnerMax: 10_000, bytesMax: 16 * 1024 * 1024, ttlMs: DAY_MS }
/** 96 bits: two states never meet by chance. */
const DIGEST_CHARACTERS = 16

/** Digests of refused state, by account. */
export class RefusedState {
  readonly #digests = new BoundedMap<true>(BOUNDS)

  note(accountId: string, blobs: readonly string[], nowMs: number): void {
    for (const blob of blobs) if (blob !== '') this.#digests.set(accountId, digestOf(blob), true, 0, nowMs)
  }

  /** What this account is known to refuse; undefined when that is nothing. */
  of(accountId: string, nowMs: number): IsRefused | undefined {
    if (!this.#digests.knows(accountId)) return undefined
    return (blob) => this.#digests.get(accountId, digestOf(blob), nowMs) === true
  }
}

function digestOf(blob: string): string {
  return createHash('sha256').update(blob).digest('base64url').slice(0, DIGEST_CHARACTERS)
}

/** A filter that refuses everything and tells what it was. */
export interface Collecting {
  readonly isRefused: IsRefused
  readonly blobs: readonly string[]
}

export function refusingAll(): Collecting {
  const blobs: string[] = []
  return {
    blobs,
    isRefused: (blob) => {
      blobs.push(blob)
      return true
    },
  }
}

/** The conversation without refused state; the same object when there is none. Unsigned thinking is nobody's state and stays. */
export function withoutRefused(request: ChatRequest, isRefused: IsRefused): ChatRequest {
  const messages = request.messages.map((message) => thinned(message, isRefused))
  if (messages.every((message, index) => message === request.messages[index])) return request
  return { ...request, messages: messages.filter(({ parts }) => parts.length > 0) }
}

function thinned(message: Message, isRefused: IsRefused): Message {
  const parts = message.parts.filter((part) => !hasRefused(part, isRefused))
  return parts.length === message.parts.length ? message : { ...message, parts }
}

function hasRefused(part: Part, isRefused: IsRefused): boolean {
  if (part.type !== 'reasoning' || part.opaque === undefined || part.opaque.blob === '') return false
  return isRefused(part.opaque.blob)
}
