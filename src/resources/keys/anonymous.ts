/**
 * The key that requests without any credential count as sent with (`auth.anonymous_key_id`), for clients that cannot send one. It
 * counts only while the server listens on loopback: anywhere else it would give the owner's accounts to whoever finds the port.
 */
import { isLoopbackHost } from '../../http/loopback.ts'

interface Deps<Key> {
  /** Where the server listens. */
  readonly host: string
  readonly keyId: () => string | null
  readonly key: (id: string) => Key | undefined
}

export class AnonymousKey<Key extends { readonly name: string }> {
  readonly #deps: Deps<Key>

  constructor(deps: Deps<Key>) {
    this.#deps = deps
  }

  /** Undefined where such requests are refused. */
  key(): Key | undefined {
    const id = this.#deps.keyId()
    return id === null || !isLoopbackHost(this.#deps.host) ? undefined : this.#deps.key(id)
  }

  /** Why `id` cannot be set; undefined when it can. */
  problem(id: string): string | undefined {
    const { host, key } = this.#deps
    if (!isLoopbackHost(host))
      return `needs a server that listens on loopback alone, and this one listens on ${host}: anyone who reaches it could use the key`
    return key(id) === undefined ? 'there is no key with this id' : undefined
  }

  /** What an operator should know of it; null when it is not set. */
  warning(): string | null {
    const id = this.#deps.keyId()
    if (id === null) return null
    const problem = this.problem(id)
    if (problem !== undefined) return `auth.anonymous_key_id is ignored: ${problem}`
    return `requests without a credential from this machine count as sent with the key "${this.#deps.key(id)?.name ?? id}" (auth.anonymous_key_id)`
  }
}
