/**
 * An immutable value that is replaced whole. The inference path reads `current` and never waits for a store; a resource's
 * service calls `replace` after each write, so a change counts from the next request.
 */
export class Snapshot<T> {
  #current: T

  constructor(initial: T) {
    this.#current = initial
  }

  get current(): T {
    return this.#current
  }

  replace(next: T): void {
    this.#current = next
  }
}
