/**
 * Names for documents: every one needs one, no two may share it, and few characters are allowed. The same conversation gives the
 * same names, since another name would miss the prompt cache.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html (read 2026-11-21)
 */
const NAMELESS = 'document'
const NAME_LENGTH_MAX = 200
/** Room for a number behind a name that is taken. */
const NUMBER_LENGTH_MAX = 8

export class DocumentNames {
  readonly #taken = new Set<string>()
  /** The number that the next document of a name gets; those below are taken. */
  readonly #numbers = new Map<string, number>()

  /** A legal name that no document before it had, as near to `title` as can be. */
  next(title: string | undefined): string {
    const name = legalName(title ?? '')
    let number = this.#numbers.get(name) ?? 1
    let unique = name
    while (this.#taken.has(unique)) unique = `${name} (${++number})`
    this.#numbers.set(name, number)
    this.#taken.add(unique)
    return unique
  }
}

function legalName(title: string): string {
  const legal = title
    .replace(/\.[a-zA-Z0-9]{1,5}$/, '')
    .replace(/[^a-zA-Z0-9\s()[\]-]/g, '-')
    .replace(/\s+/g, ' ')
    .slice(0, NAME_LENGTH_MAX - NUMBER_LENGTH_MAX)
    .trim()
  return /[a-zA-Z0-9]/.test(legal) ? legal : NAMELESS
}
