/** What a chain would have done with requests of the past: which model would have answered each, and for how much. */
import type { NanoUsd } from '../../core/money.ts'
import type { Usage } from '../../core/usage.ts'
import type { AccountRules, Candidate, Choosing, RankedAccount } from '../../routing/candidates.ts'
import { candidatesOf } from '../../routing/choose.ts'
import { NO_AFFINITY, type RequestView, USUAL_PRIORITY } from '../../routing/request-view.ts'
import type { RuleRoute } from '../../routing/route.ts'
import { passesByItself } from '../../routing/skip.ts'
import { ensembleBehind, type EnsembleRoute, onlyTarget } from '../../routing/strategy/ensemble.ts'
import type { LoggedRequest } from '../usage/usage.ts'
import type { CostOf } from './simulate.ts'

export interface PastTrial {
  readonly requests: number
  /** Those that another model would have answered. */
  readonly moved: number
  /** Those that nothing could have served. */
  readonly unserved: number
  /** Those of which a fact that decides was not kept. */
  readonly unknown: number
  readonly beforeNano: NanoUsd
  /** The tokens of then at the prices of the models of now; those of unknown requests as they were. */
  readonly afterNano: NanoUsd
  /** Requests whose price is not known, before or after. */
  readonly costUnknown: number
  readonly steps: readonly PastStep[]
  readonly examples: readonly PastExample[]
}

export interface PastStep {
  readonly id: string
  readonly model: string
  readonly requests: number
  readonly costNano: NanoUsd
}

export interface PastExample {
  readonly requestId: string
  /** `<provider>/<model>`; null where nothing answered. */
  readonly before: string | null
  readonly after: string | null
}

type ChoiceParts = Omit<Choosing<RankedAccount>, 'view'>

const EXAMPLES_MAX = 20

/** What became of one row. */
interface Judged {
  readonly row: LoggedRequest
  readonly verdict: 'served' | 'unserved' | 'unknown'
  /** Who would have been asked: the first would have answered, as far as that can be known. */
  readonly asked: readonly Asked[]
}

interface Asked {
  readonly candidate: Candidate<RankedAccount>
  /** Null where no price is known. */
  readonly costNano: NanoUsd | null
}

/** `rows` in any order. Accounts that only rest now count as usable: they did not rest then. */
export function pastTrialOf(
  route: RuleRoute,
  rows: readonly LoggedRequest[],
  parts: ChoiceParts,
  costOf: CostOf,
): PastTrial {
  const rested = { ...parts, accounts: withoutRest(parts.accounts) }
  const judged = rows.map((row) => judge(row, route, { ...rested, view: viewOf(row) }, costOf))
  const moved = judged.filter(isMoved)
  const countOf = (verdict: Judged['verdict']): number => judged.filter((one) => one.verdict === verdict).length
  return {
    requests: judged.length,
    moved: moved.length,
    unserved: countOf('unserved'),
    unknown: countOf('unknown'),
    beforeNano: sumOf(judged.map(({ row }) => row.costNano)),
    afterNano: sumOf(judged.map((one) => costOfAll(one) ?? 0)),
    costUnknown: judged.filter((one) => costOfAll(one) === null || one.row.costSource === 'unknown').length,
    steps: route.rule.targets.map(({ id, model }) => ({ id, model, ...shareOf(id, judged) })),
    examples: moved.slice(0, EXAMPLES_MAX).map(({ row, asked: [first] }) => ({
      requestId: row.id,
      before: modelBefore(row),
      after: first === undefined ? null : modelAfter(first.candidate),
    })),
  }
}

function judge(row: LoggedRequest, route: RuleRoute, choosing: Choosing<RankedAccount>, costOf: CostOf): Judged {
  const ensemble = ensembleBehind(route)
  const found = (ensemble === undefined ? [route] : panelOf(ensemble)).map((one) => firstOf(one, choosing))
  if (found.includes('unknown')) return { row, verdict: 'unknown', asked: [] }
  const served = found.filter((one) => one !== 'unknown' && one !== undefined)
  const judging =
    ensemble !== undefined && served.length > 1 ? judgeOf(ensemble, row, choosing, costOf, served.length) : []
  const asked = [...served.map((candidate) => askedOf(candidate, row, row.usage, choosing, costOf)), ...judging]
  return { row, verdict: asked.length === 0 ? 'unserved' : 'served', asked }
}

function panelOf(route: EnsembleRoute): readonly RuleRoute[] {
  return route.ensemble.panel.map((id) => onlyTarget(route, id))
}

/** The judge reads as many more answers as there would have been. */
function judgeOf(
  route: EnsembleRoute,
  row: LoggedRequest,
  choosing: Choosing<RankedAccount>,
  costOf: CostOf,
  answers: number,
): readonly Asked[] {
  const judge = firstOf(onlyTarget(route, route.ensemble.judge), choosing)
  if (judge === undefined || judge === 'unknown') return []
  const usage = { ...row.usage, inputUncached: row.usage.inputUncached + answers * row.usage.output }
  return [askedOf(judge, row, usage, choosing, costOf)]
}

/** The first that would have served; undefined where nothing would. */
function firstOf(
  route: RuleRoute,
  choosing: Choosing<RankedAccount>,
): Candidate<RankedAccount> | 'unknown' | undefined {
  for (const considered of candidatesOf(route, choosing)) {
    if (considered.skipped === null) return considered
    if (considered.skipped === 'condition_unknown') return 'unknown'
  }
  return undefined
}

function askedOf(
  candidate: Candidate<RankedAccount>,
  row: LoggedRequest,
  usage: Usage,
  { view }: Choosing<RankedAccount>,
  costOf: CostOf,
): Asked {
  const { provider, model, account } = candidate
  const { keyId = null, planId = null } = view
  const { costNano, costSource } = costOf(
    provider,
    model,
    usage,
    { keyId, planId, accountId: account?.id ?? null },
    row.atMs,
  )
  return { candidate, costNano: costSource === 'unknown' ? null : costNano }
}

/** Of all that would have been asked; what it was where that is not known. Null where a price is not known. */
function costOfAll({ row, verdict, asked }: Judged): NanoUsd | null {
  if (verdict === 'unknown') return row.costNano
  const costs = asked.flatMap(({ costNano }) => costNano ?? [])
  return costs.length < asked.length ? null : sumOf(costs)
}

function isMoved({ row, verdict, asked: [first] }: Judged): boolean {
  if (verdict === 'unknown') return false
  return first === undefined ? row.provider !== null : modelBefore(row) !== modelAfter(first.candidate)
}

function shareOf(stepId: string, judged: readonly Judged[]): Pick<PastStep, 'requests' | 'costNano'> {
  const mine = judged.flatMap(({ asked }) => asked.filter(({ candidate }) => candidate.via[0]?.target.id === stepId))
  return { requests: mine.length, costNano: sumOf(mine.map(({ costNano }) => costNano ?? 0)) }
}

function modelBefore({ provider, modelUsed }: LoggedRequest): string | null {
  return provider === null ? null : `${provider}/${modelUsed ?? ''}`
}

function modelAfter({ provider, model }: Candidate<RankedAccount>): string {
  return `${provider.id}/${model}`
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

/** What rows keep. Of audio and of headers nothing is kept, and of what was said only its size. */
function viewOf(row: LoggedRequest): RequestView {
  const { facts } = row
  const held = { image: facts.images > 0, document: facts.documents > 0, audio: undefined }
  return {
    atMs: row.atMs,
    inputTokens: facts.inputTokensEstimate,
    maxTokens: facts.maxTokens,
    tools: facts.tools,
    media: (kind) => held[kind],
    thinking: facts.thinking,
    structuredOutput: facts.structuredOutput,
    stream: row.stream,
    keyId: row.keyId,
    planId: row.planId,
    budgetLeftPct: () => undefined,
    tags: row.tags,
    header: () => undefined,
    dialect: row.dialectIn,
    client: row.client,
    priority: USUAL_PRIORITY,
    affinity: { ...NO_AFFINITY, sessionId: row.sessionId },
  }
}

function withoutRest(accounts: AccountRules<RankedAccount>): AccountRules<RankedAccount> {
  return {
    of: (providerId) => accounts.of(providerId),
    byId: (accountId) => accounts.byId(accountId),
    pool: (providerId, model, rank) => accounts.pool(providerId, model, rank),
    upstreamModel: (account, model) => accounts.upstreamModel(account, model),
    placeOf: (provider, account) => accounts.placeOf(provider, account),
    unusable: (account, model, rank) => {
      const why = accounts.unusable(account, model, rank)
      return why !== null && passesByItself(why) ? null : why
    },
  }
}
