import { newId } from '../core/id.ts'
import type { Random } from '../core/random.ts'

export const REQUEST_ID_HEADER = 'x-request-id'

/**
 * Gives every request its id, the same one however often it is asked: the log, the audit and the answer must agree. A value
 * that a client sends is never taken over, since it would let one caller write another's id into the log.
 */
export class RequestIds {
  readonly #random: Random
  readonly #ids = new WeakMap<Request, string>()

  constructor(random: Random) {
    this.#random = random
  }

  of(request: Request): string {
    const known = this.#ids.get(request)
    if (known !== undefined) return known
    const id = newId('req', this.#random)
    this.#ids.set(request, id)
    return id
  }
}
