/** Requests without any credential, for clients that cannot send one: they may count as sent with a key that the owner chose. */
import { isFromThisMachine } from '../http/loopback.ts'
import type { Call } from './exchange.ts'

/** Any of them, whatever is in it, makes a request one with a credential: a wrong one stays wrong. */
const CREDENTIAL_HEADERS = ['x-gateway-key', 'x-api-key', 'authorization', 'x-goog-api-key'] as const
/** Google's clients may bring theirs in the query. */
const CREDENTIAL_PARAMETER = 'key'

/** `anonymousKey` is undefined where the owner chose none, or where others than this machine can reach the server. */
export function anonymousKeyOf<Key>(anonymousKey: () => Key | undefined, call: Call): Key | undefined {
  const { request, search, address } = call
  if (CREDENTIAL_HEADERS.some((name) => request.headers.has(name))) return undefined
  if (search !== '' && new URLSearchParams(search).has(CREDENTIAL_PARAMETER)) return undefined
  const key = anonymousKey()
  return key !== undefined && isFromThisMachine(request, address) ? key : undefined
}
