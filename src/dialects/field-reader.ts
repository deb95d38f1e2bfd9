/** Reads typed fields out of a client's body. Decoders stay straight-line code: a wrong type is noted, and reading goes on. */
import { failure, type Failure } from '../core/failure.ts'
import { isObject, type Json, type JsonObject } from '../core/json.ts'

/** An object of the body and where it stands, dotted (`messages.0.content.1`); empty for the body itself. */
export interface Place {
  readonly object: JsonObject
  readonly path: string
}

export class FieldReader {
  #failure: Failure | undefined

  /** The first thing that was wrong. A caller must look before it uses what was read. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  /** Notes that the field at `path` cannot be accepted. `claim` completes the sentence `<path>: …`. */
  refuse(path: string, claim: string, kind: 'malformed' | 'unsupported' = 'malformed'): void {
    this.#failure ??= failure(kind, `${path}: ${claim}.`, { param: path })
  }

  /** Undefined when absent or null. */
  string(place: Place, name: string): string | undefined {
    return this.#typed(place, name, (value) => typeof value === 'string', 'must be a string') as string | undefined
  }

  requiredString(place: Place, name: string): string {
    const value = this.string(place, name)
    if (value === undefined) this.refuse(pathOf(place, name), 'is required')
    return value ?? ''
  }

  number(place: Place, name: string): number | undefined {
    const isNumber = (value: Json): boolean => typeof value === 'number' && Number.isFinite(value)
    return this.#typed(place, name, isNumber, 'must be a number') as number | undefined
  }

  integer(place: Place, name: string, min: number): number | undefined {
    const isInteger = (value: Json): boolean => Number.isSafeInteger(value) && (value as number) >= min
    return this.#typed(place, name, isInteger, `must be an integer of at least ${min}`) as number | undefined
  }

  boolean(place: Place, name: string): boolean | undefined {
    return this.#typed(place, name, (value) => typeof value === 'boolean', 'must be a boolean') as boolean | undefined
  }

  object(place: Place, name: string): Place | undefined {
    const value = this.#typed(place, name, isObject, 'must be an object') as JsonObject | undefined
    return value && { object: value, path: pathOf(place, name) }
  }

  requiredObject(place: Place, name: string): Place {
    const value = this.object(place, name)
    if (value === undefined) this.refuse(pathOf(place, name), 'is required')
    return value ?? { object: {}, path: pathOf(place, name) }
  }

  /** The elements, each with its own path; undefined when absent or null. */
  objects(place: Place, name: string): readonly Place[] | undefined {
    const values = this.#typed(place, name, Array.isArray, 'must be an array') as readonly Json[] | undefined
    return values?.map((value, index) => this.#element(value, `${pathOf(place, name)}.${index}`))
  }

  strings(place: Place, name: string): readonly string[] | undefined {
    const isStrings = (value: Json): boolean =>
      Array.isArray(value) && value.every((element) => typeof element === 'string')
    return this.#typed(place, name, isStrings, 'must be an array of strings') as readonly string[] | undefined
  }

  /** One of `choices`; anything else is refused, naming them. */
  choice<T extends string>(place: Place, name: string, choices: readonly T[]): T | undefined {
    const value = this.string(place, name)
    const chosen = choices.find((choice) => choice === value)
    if (value !== undefined && chosen === undefined) {
      this.refuse(pathOf(place, name), `must be one of ${choices.join(', ')}`)
    }
    return chosen
  }

  #element(value: Json, path: string): Place {
    if (isObject(value)) return { object: value, path }
    this.refuse(path, 'must be an object')
    return { object: {}, path }
  }

  #typed(place: Place, name: string, is: (value: Json) => boolean, claim: string): Json | undefined {
    const value = place.object[name]
    if (value === undefined || value === null) return undefined
    if (is(value)) return value
    this.refuse(pathOf(place, name), claim)
    return undefined
  }
}

export function pathOf(place: Place, name: string): string {
  return place.path === '' ? name : `${place.path}.${name}`
}
