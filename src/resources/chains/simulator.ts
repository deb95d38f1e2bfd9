import { assert } from '../../core/assert.ts'
import type { Clock } from '../../core/clock.ts'
import type { Failure } from '../../core/failure.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { QueryFields } from '../../http/query-fields.ts'
import { invalid, type Refusal } from '../../http/refusal.ts'
import type { Choosing, RankedAccount } from '../../routing/candidates.ts'
import { NO_AFFINITY, type RequestView, USUAL_PRIORITY } from '../../routing/request-view.ts'
import { resolveModel, type ModelDirectory } from '../../routing/resolve.ts'
import type { RuleRoute } from '../../routing/route.ts'
import { ruleBook } from '../../routing/rule-book.ts'
import { publicName } from '../../routing/rule.ts'
import { rangeOf, type RangeName } from '../usage/range.ts'
import type { UsageStore } from '../usage/store.ts'
import type { Chain } from './chain.ts'
import { pastTrialOf, type PastTrial } from './past.ts'
import { ruleOf } from './route-rule.ts'
import type { ChainDraft } from './schema.ts'
import type { ChainService } from './service.ts'
import { type RequestDraft, rowsOf, type SimulateDraft } from './simulate-schema.ts'
import { type CostOf, type StepTrial, trialOf } from './simulate.ts'

/** A gateway key, as far as a request that is sent with it shows. */
export interface SimulatedKey {
  readonly id: string
  readonly tags: Readonly<Record<string, string>>
  readonly planId: string | null
  readonly priority: number
  readonly accountIds: readonly string[] | null
}

export interface SimulatorDeps {
  readonly chains: ChainService
  readonly clock: Pick<Clock, 'nowMs'>
  readonly directory: () => ModelDirectory
  /** What choices look at now, without taking part. */
  readonly choice: () => Pick<Choosing<RankedAccount>, 'accounts' | 'seen' | 'preferences'>
  readonly keyOf: (id: string) => SimulatedKey | undefined
  /** May a key use what all these names stand for? */
  readonly permits: (keyId: string, names: readonly string[]) => boolean
  /** A body as clients send it, as rules see it. Failures: `malformed`, `too_large`. */
  readonly viewOf: (request: {
    readonly endpoint: NonNullable<RequestDraft['endpoint']>
    readonly body: Readonly<Record<string, unknown>>
    readonly headers: Readonly<Record<string, string>>
    readonly key: SimulatedKey | null
    readonly budgetLeftPct: RequestView['budgetLeftPct']
    readonly atMs: number
  }) => Promise<Result<RequestView, Failure>>
  /** What is left at this moment; see `RequestView`. */
  readonly budgetLeftPct: (key: SimulatedKey) => number
  readonly costOf: CostOf
  readonly log: Pick<UsageStore, 'list'>
}

export type Simulation =
  | { readonly kind: 'request'; readonly steps: readonly StepTrial[] }
  | { readonly kind: 'range'; readonly past: PastTrial }

/** With what the owner of the chain should know whatever it is tried on. */
export type WarnedSimulation = Simulation & { readonly warnings: readonly string[] }

/** Tries chains, saved or not, on a request that is thought of or on those of the past. Sends, saves and counts nothing. */
export class ChainSimulator {
  readonly #deps: SimulatorDeps

  constructor(deps: SimulatorDeps) {
    this.#deps = deps
  }

  /**
   * `id`: the chain that it is about, of which `draft.chain` is a change; null: it is not saved, and the requests of all are looked
   * at. Refusals: `missing`, `invalid`, `unavailable`.
   */
  async simulate(id: string | null, draft: SimulateDraft): Promise<Result<WarnedSimulation, Refusal>> {
    const chain = this.#chainOf(id, draft.chain)
    if (!chain.ok) return chain
    const simulation = await this.#onAsked(this.#routeOf(chain.value), id, draft)
    if (!simulation.ok) return simulation
    return ok({ ...simulation.value, warnings: this.#deps.chains.warnings(chain.value) })
  }

  async #onAsked(route: RuleRoute, id: string | null, draft: SimulateDraft): Promise<Result<Simulation, Refusal>> {
    const { request, range } = draft
    if (request !== undefined && range === undefined) return this.#onRequest(route, request)
    if (request === undefined && range !== undefined) return this.#onRange(route, id, range, rowsOf(draft))
    return err(invalid({ request: ['or range must be there, and not both'] }))
  }

  #chainOf(id: string | null, draft: (ChainDraft & { readonly name: string }) | undefined): Result<Chain, Refusal> {
    const { chains } = this.#deps
    if (draft !== undefined) return chains.described(draft, id)
    return id === null ? err(invalid({ chain: ['is required'] })) : chains.get(id)
  }

  /** As if the chain were saved and switched on, in place of the one that it is a change of. */
  #routeOf(chain: Chain): RuleRoute {
    const directory = this.#deps.directory()
    const rule = { ...ruleOf(chain), enabled: true }
    const others = directory.rules.all.filter(({ id, kind, name }) => {
      return id !== rule.id && !(kind === 'chain' && name === rule.name)
    })
    const names = { ...directory, rules: ruleBook([...others, rule]) }
    const route = resolveModel(publicName(rule), names, rule.serves, () => true)
    assert(route.ok && route.value.kind === 'rule', 'a chain is found behind its own name')
    return route.value
  }

  async #onRequest(route: RuleRoute, draft: RequestDraft): Promise<Result<Simulation, Refusal>> {
    const { choice, costOf, keyOf, permits } = this.#deps
    const key = draft.key_id === undefined ? null : keyOf(draft.key_id)
    if (key === undefined) return err(invalid({ 'request.key_id': ['is not the id of a key'] }))
    const view = await this.#viewOf(draft, key)
    if (!view.ok) return view
    const mayUse = (names: readonly string[]): boolean => key === null || permits(key.id, names)
    const choosing = { ...choice(), view: view.value, permits: mayUse, accountIds: key?.accountIds ?? null }
    return ok({ kind: 'request', steps: trialOf(route, choosing, costOf) })
  }

  async #viewOf(draft: RequestDraft, key: SimulatedKey | null): Promise<Result<RequestView, Refusal>> {
    const { endpoint = 'chat', body, facts, headers = {} } = draft
    const atMs = this.#deps.clock.nowMs()
    const budgetLeftPct = () => (key === null ? undefined : this.#deps.budgetLeftPct(key))
    if (body !== undefined && facts === undefined) {
      const view = await this.#deps.viewOf({ endpoint, body, headers, key, budgetLeftPct, atMs })
      return view.ok ? view : err(invalid({ 'request.body': [view.error.message] }))
    }
    if (body === undefined && facts !== undefined) return viewOfFacts(facts, headers, key, budgetLeftPct, atMs)
    return err(invalid({ 'request.body': ['or facts must be there, and not both'] }))
  }

  async #onRange(
    route: RuleRoute,
    chainId: string | null,
    range: RangeName,
    limit: number,
  ): Promise<Result<Simulation, Refusal>> {
    const { choice, clock, costOf, log } = this.#deps
    const page = { order: 'desc', offset: 0, limit, after: undefined } as const
    const rows = await log.list({ chainId: chainId ?? undefined }, rangeOf(range, clock.nowMs()), page)
    if (!rows.ok) return rows
    const parts = { ...choice(), permits: () => true, accountIds: null }
    const { requests } = rows.value
    return ok({ kind: 'range', past: pastTrialOf(route, requests, parts, costOf) })
  }
}

/** What is left out is not known. */
function viewOfFacts(
  facts: NonNullable<RequestDraft['facts']>,
  headers: Readonly<Record<string, string>>,
  key: SimulatedKey | null,
  budgetLeftPct: RequestView['budgetLeftPct'],
  nowMs: number,
): Result<RequestView, Refusal> {
  const fields = new QueryFields()
  const atMs = fields.instant('request.facts.at', facts.at) ?? nowMs
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const held = { image: facts.images, document: facts.documents, audio: facts.audio }
  return fields.result({
    atMs,
    inputTokens: facts.input_tokens,
    maxTokens: facts.max_tokens,
    tools: facts.tools,
    media: (kind) => {
      const count = held[kind]
      return count === undefined ? undefined : count > 0
    },
    thinking: facts.thinking,
    structuredOutput: facts.structured_output,
    stream: facts.stream,
    keyId: key?.id,
    planId: key?.planId,
    budgetLeftPct,
    tags: key?.tags,
    header: (name) => sent.get(name),
    dialect: facts.dialect?.replaceAll('_', '-'),
    client: facts.client,
    priority: key?.priority ?? USUAL_PRIORITY,
    affinity: NO_AFFINITY,
  })
}
