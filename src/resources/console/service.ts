import { ok, type Result } from '../../core/result.ts'
import type { Page } from '../../http/pagination.ts'
import type { Refusal } from '../../http/refusal.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { Followers, FollowRequest } from './follow.ts'
import type { ConsoleEntry, ConsoleFilters, ConsoleRing } from './ring.ts'

interface Deps {
  readonly ring: ConsoleRing
  readonly followers: Followers
  readonly audit: Audit
}

export class ConsoleService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  page(filters: ConsoleFilters, { offset, limit, order, q }: Page): { items: readonly ConsoleEntry[]; total: number } {
    const entries = this.#deps.ring.matching({ ...filters, q })
    const ordered = order === 'asc' ? entries : entries.toReversed()
    return { items: ordered.slice(offset, offset + limit), total: entries.length }
  }

  /** Refusals: `throttled`, `unavailable`. */
  follow(request: FollowRequest): Result<ReadableStream<Uint8Array>, Refusal> {
    return this.#deps.followers.open(request)
  }

  /** Returns how many entries are gone. Refusal: `unavailable` when it could not be audited; then all is still there. */
  async clear(caller: Caller): Promise<Result<number, Refusal>> {
    const { ring, audit } = this.#deps
    const recorded = await audit.record({
      ...actedBy(caller),
      action: 'console.clear',
      object: { type: 'console', id: null, name: null },
      before: { last_seq: ring.lastSeq },
      outcome: 'ok',
    })
    return recorded.ok ? ok(ring.clear()) : recorded
  }
}
