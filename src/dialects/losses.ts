import { failure, type Failure } from '../core/failure.ts'

/** Collects what could not be carried, and the first thing without which the request must not be sent. */
export interface Losses {
  /** Wire name of something that was left out. */
  drop(name: string): void
  /** Notes that the target cannot take it; `param` names the field, dotted. */
  refuse(param: string, claim: string): void
}

export class LossList implements Losses {
  readonly #names = new Set<string>()
  #failure: Failure | undefined

  get names(): readonly string[] {
    return [...this.#names]
  }

  get failure(): Failure | undefined {
    return this.#failure
  }

  drop(name: string): void {
    this.#names.add(name)
  }

  refuse(param: string, claim: string): void {
    this.#failure ??= failure('unsupported', `${param}: ${claim}.`, { param })
  }
}

/** Drops those of `fields`, by their wire names, that have a value. */
export function dropPresent(fields: object, losses: Losses): void {
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) losses.drop(name)
}
