/**
 * Requests that their clients may send again: with an `Idempotency-Key`, a gateway key has one name for one request. While that
 * runs, a second one is refused; once it is answered, it gets the same answer and no provider is asked. Only a whole answer
 * counts: what failed or was cut is forgotten, so that trying again is worth something. Answers are in memory alone, never on
 * disk; that a request was answered is known for a day, after a restart too, for the ledger's rows hold its name.
 */
import { createHash } from 'node:crypto'
import { BoundedMap, type Bounds } from '../../core/bounded-map.ts'
import { HOUR_MS } from '../../core/duration.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { NamedRequest } from '../../ledger/named-requests.ts'

const MIB = 1024 * 1024

/** How long a name stands for its request. */
export const NAMES_KEPT_MS = 24 * HOUR_MS
export const NAMES_BOUNDS: Bounds = { entriesPerOwnerMax: 10_000, bytesMax: 32 * MIB, ttlMs: NAMES_KEPT_MS }
/** How long its answer can be had again, and how many there are. */
export const ANSWERS_BOUNDS: Bounds = { entriesPerOwnerMax: 1_000, bytesMax: 64 * MIB, ttlMs: HOUR_MS }
/** Longer answers are not kept. */
export const ANSWER_BYTES_MAX = 8 * MIB
/** As Stripe has it, which made the header known. https://docs.stripe.com/api/idempotent_requests (read 2026-11-21) */
const NAME_CHARACTERS_MAX = 255
const VISIBLE = /^[\x21-\x7e]+$/

/** An answer as its client had it. */
export interface KeptAnswer {
  readonly requestId: string
  readonly body: Uint8Array
  readonly headers: readonly (readonly [name: string, value: string])[]
}

interface Known {
  readonly requestId: string
  readonly digest: string
  readonly state: 'running' | 'answered'
}

/** Bytes of a name and its digest. */
const KNOWN_BYTES = 200

export class Idempotency {
  readonly #known = new BoundedMap<Known>(NAMES_BOUNDS)
  readonly #answers: BoundedMap<KeptAnswer>

  constructor(answers: Bounds = ANSWERS_BOUNDS) {
    this.#answers = new BoundedMap(answers)
  }

  /** Takes the name for the request, or has the answer that it got. Failures: `idempotency_conflict`, `idempotency_mismatch`. */
  begin(request: NamedRequest, nowMs: number): Result<KeptAnswer | undefined, Failure> {
    const { keyId, name } = request
    const known = this.#known.peek(keyId, name, nowMs)
    if (known === undefined) return ok(this.#set(request, 'running', nowMs))
    if (known.digest !== request.digest) return err(mismatch(known))
    if (known.state === 'running') return err(running(known))
    const answer = this.#answers.peek(keyId, name, nowMs)
    return answer === undefined ? err(answered(known)) : ok(answer)
  }

  /** What an earlier process answered, or had under way when it ended. */
  remember(request: NamedRequest, nowMs: number): void {
    this.#set(request, 'answered', nowMs)
  }

  /** It was answered whole. Undefined: with more than is kept. */
  answered(request: NamedRequest, answer: KeptAnswer | undefined, nowMs: number): void {
    this.#set(request, 'answered', nowMs)
    if (answer === undefined) return
    const headerBytes = answer.headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    this.#answers.set(request.keyId, request.name, answer, answer.body.length + headerBytes, nowMs)
  }

  /** It came to nothing: the name is free. */
  forget({ keyId, name, requestId }: NamedRequest, nowMs: number): void {
    if (this.#known.peek(keyId, name, nowMs)?.requestId === requestId) this.#known.delete(keyId, name)
  }

  #set({ keyId, name, requestId, digest }: NamedRequest, state: Known['state'], nowMs: number): undefined {
    this.#known.set(keyId, name, { requestId, digest, state }, KNOWN_BYTES, nowMs)
  }
}

/** A hash of the name in the header. Failure: `malformed`. */
export function nameOf(header: string): Result<string, Failure> {
  if (header.length <= NAME_CHARACTERS_MAX && VISIBLE.test(header)) return ok(hashOf(header))
  const message = `"Idempotency-Key" must be 1 to ${NAME_CHARACTERS_MAX} visible ASCII characters.`
  return err(failure('malformed', message))
}

/** What makes two requests the same. `path`: with its query, which may ask for another form of the answer. */
export function digestOf(path: string, body: Uint8Array): string {
  return createHash('sha256').update(`${path}\n`).update(body).digest('base64url')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function running({ requestId }: Known): Failure {
  const message = `A request with this idempotency key is still being answered (${requestId}).`
  return failure('idempotency_conflict', message)
}

function answered({ requestId }: Known): Failure {
  const message = `The request with this idempotency key is already done (${requestId}); its answer is no longer kept. Use a new key to ask again.`
  return failure('idempotency_conflict', message)
}

function mismatch({ requestId }: Known): Failure {
  const message = `This idempotency key belongs to another request (${requestId}), with another body or path. Use a new key.`
  return failure('idempotency_mismatch', message)
}
