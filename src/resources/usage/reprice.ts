import { err, ok, type Result } from '../../core/result.ts'
import type { Repriced, RepriceQuery } from '../../ledger/reprice.ts'
import { readInstant } from '../../http/query-fields.ts'
import { invalid, refusal, type Refusal } from '../../http/refusal.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import { type RepriceDraft, repricedToWire } from './reprice-schema.ts'

interface Deps {
  readonly repricer: { reprice(query: RepriceQuery, dryRun: boolean): Promise<Repriced> }
  readonly audit: Audit
}

const BAD_TIME = ['must be a time such as 2026-01-15T12:00:00Z']

/** Past requests at the prices that counted at their moment, as they are known now. An act of its own, which is audited. */
export class UsageReprice {
  readonly #deps: Deps
  #isRunning = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Refusals: `invalid`; `conflict` while one is under way. */
  async reprice(draft: RepriceDraft, caller: Caller): Promise<Result<Repriced, Refusal>> {
    const query = readQuery(draft)
    if (!query.ok) return query
    if (this.#isRunning) return err(refusal('conflict', 'requests are being priced anew already'))
    this.#isRunning = true
    try {
      const repriced = await this.#deps.repricer.reprice(query.value, draft.dry_run)
      if (!draft.dry_run) await this.#record(draft, repriced, caller)
      return ok(repriced)
    } finally {
      this.#isRunning = false
    }
  }

  async #record({ from, to, provider, model }: RepriceDraft, repriced: Repriced, caller: Caller): Promise<void> {
    await this.#deps.audit.record({
      ...actedBy(caller),
      action: 'usage.reprice',
      object: { type: 'usage', id: null, name: null },
      after: { from, to, provider, model, ...repricedToWire(repriced) },
      outcome: 'ok',
    })
  }
}

function readQuery({ from, to, provider, model }: RepriceDraft): Result<RepriceQuery, Refusal> {
  const [fromMs, toMs] = [readInstant(from), readInstant(to)]
  if (fromMs === undefined) return err(invalid({ from: BAD_TIME }))
  if (toMs === undefined) return err(invalid({ to: BAD_TIME }))
  return toMs > fromMs ? ok({ fromMs, toMs, provider, model }) : err(invalid({ to: ['must be later than from'] }))
}
