interface OpenCall {
  readonly id: string
  readonly name: string
}

/**
 * Which result answers which call. Ids are optional in this format: without one a result belongs to the first call of its name
 * that is not answered, and a call is numbered by its place, so that the same history always gives the same ids.
 */
export class CallBook {
  #open: OpenCall[] = []
  #made = 0

  /** The id of a call that is made now. */
  open(given: string | undefined, name: string): string {
    const id = given === undefined || given === '' ? `call_${this.#made}` : given
    this.#made++
    this.#open.push({ id, name })
    return id
  }

  /** The id of the call that a result is for; one of its own when there is none. */
  answer(given: string | undefined, name: string): string {
    const call = given === undefined || given === '' ? this.#firstOf(name) : this.#open.find(({ id }) => id === given)
    this.#open = this.#open.filter((open) => open !== call)
    return call?.id ?? (given === undefined || given === '' ? `result_of_${name}` : given)
  }

  #firstOf(name: string): OpenCall | undefined {
    return this.#open.find((call) => call.name === name)
  }
}
