import { CallBook } from '../tools/call-book.ts'

/**
 * Which result answers which call. Ids are optional in this format: without one a result belongs to the first call of its name
 * that is not answered, and a call is numbered by its place, so that the same history always gives the same ids.
 */
export class CallIds {
  readonly #calls = new CallBook()
  #made = 0

  /** The id of a call that is made now. */
  open(given: string | undefined, name: string): string {
    const id = given || `call_${this.#made}`
    this.#made++
    this.#calls.add(id, name)
    return id
  }

  /** The id of the call that a result is for; one of its own when there is none. */
  answer(given: string | undefined, name: string): string {
    if (!given) return this.#calls.answerNamed(name) ?? `result_of_${name}`
    this.#calls.answer(given)
    return given
  }
}
