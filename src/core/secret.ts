/** A secret in memory. Printing, logging or serialising it shows `[secret]`; only `reveal()` gives it out. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}

const MASK_LENGTH_MIN = 20

/** First four … last four of a secret with 20 or more characters, otherwise dots. */
export function maskSecret(value: string): string {
  return value.length < MASK_LENGTH_MIN ? '••••' : `${value.slice(0, 4)}…${value.slice(-4)}`
}
