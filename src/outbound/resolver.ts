import { lookup as systemLookupOf } from 'node:dns/promises'
import type { Clock } from '../core/clock.ts'
import type { Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import { classify, type Address, type AddressClass } from './address.ts'
import { cancelledEarly, codeOf, connectFailure, connectTimeout } from './connect-failure.ts'

/** All addresses of a name, best first; throws like `node:dns` when there is none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

export interface ResolverDeps {
  readonly lookup: Lookup
  readonly clock: Clock
  /** What an answer counts as, `classify` unless given: a test plays the internet on loopback. */
  readonly classOf?: (address: string) => AddressClass | undefined
}

/** Failures: `connect` (unknown name), `timeout`, `cancelled`. */
export type Resolve = (
  hostname: string,
  timeoutMs: number,
  signal: AbortSignal,
) => Promise<Result<readonly Address[], Failure>>

/** Short enough to follow a provider that moves; each use is checked again, and what was checked is what is dialled. */
const ANSWER_KEPT_MS = 10_000
const ANSWERS_MAX = 256
const ADDRESSES_MAX = 16

/** The operating system's resolver, in the system's own order of preference. */
export const systemLookup: Lookup = async (hostname) => {
  const answers = await systemLookupOf(hostname, { all: true, order: 'verbatim' })
  return answers.map((answer) => answer.address)
}

/** Remembers answers for a moment and asks once for callers that come together. */
export function makeResolver({ lookup, clock, classOf = classify }: ResolverDeps): Resolve {
  const answers = new Map<string, { readonly addresses: readonly Address[]; readonly untilMs: number }>()
  const asked = new Map<string, Promise<readonly Address[]>>()

  function remember(hostname: string, addresses: readonly Address[]): void {
    answers.delete(hostname)
    const oldest = answers.size < ANSWERS_MAX ? undefined : answers.keys().next().value
    if (oldest !== undefined) answers.delete(oldest)
    answers.set(hostname, { addresses, untilMs: clock.monotonicMs() + ANSWER_KEPT_MS })
  }

  async function ask(hostname: string): Promise<readonly Address[]> {
    try {
      const answer = (await lookup(hostname)).slice(0, ADDRESSES_MAX)
      const addresses = answer.map((address) => ({ address, kind: classOf(address) }))
      if (addresses.length > 0) remember(hostname, addresses)
      return addresses
    } finally {
      asked.delete(hostname)
    }
  }

  return async (hostname, timeoutMs, signal) => {
    const known = answers.get(hostname)
    if (known !== undefined && clock.monotonicMs() < known.untilMs) return ok(known.addresses)
    const answer = asked.get(hostname) ?? ask(hostname)
    asked.set(hostname, answer)
    return await within(settled(answer, hostname), hostname, timeoutMs, signal, clock)
  }
}

type Answer = Result<readonly Address[], Failure>

async function settled(answer: Promise<readonly Address[]>, hostname: string): Promise<Answer> {
  try {
    const addresses = await answer
    return addresses.length > 0 ? ok(addresses) : err(connectFailure('ENOTFOUND', hostname))
  } catch (error) {
    const code = codeOf(error)
    return err(connectFailure(code === 'EAI_AGAIN' ? code : 'ENOTFOUND', hostname))
  }
}

/** The look-up itself cannot be stopped; only the waiting ends. */
function within(
  answer: Promise<Answer>,
  hostname: string,
  timeoutMs: number,
  signal: AbortSignal,
  clock: Clock,
): Promise<Answer> {
  if (signal.aborted) return Promise.resolve(err(cancelledEarly()))
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const onAbort = () => resolve(err(cancelledEarly()))
  const stopTimer = clock.after(timeoutMs, () => resolve(err(connectTimeout(hostname))))
  signal.addEventListener('abort', onAbort)
  void answer.then(resolve)
  return promise.finally(() => {
    stopTimer()
    signal.removeEventListener('abort', onAbort)
  })
}
