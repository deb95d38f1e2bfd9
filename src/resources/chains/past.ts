/** What a chain would have done with requests of the past: which model would have answered each, and for how much. */
import type { NanoUsd } from '../../core/money.ts'
import type { AccountRules, Candidate, Choosing, RankedAccount } from '../../routing/candidates.ts'
import { candidatesOf } from '../../routing/choose.ts'
import { NO_AFFINITY, type RequestView, USUAL_PRIORITY } from '../../routing/request-view.ts'
import type { RuleRoute } from '../../routing/route.ts'
import { passesByItself } from '../../routing/skip.ts'
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

/** What became of one row; `candidate` is there when it is served. */
interface Judged {
  readonly row: LoggedRequest
  readonly verdict: 'served' | 'unserved' | 'unknown'
  readonly candidate: Candidate<RankedAccount> | undefined
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
    afterNano: sumOf(judged.map(({ costNano }) => costNano ?? 0)),
    costUnknown: judged.filter(({ row, costNano }) => costNano === null || row.costSource === 'unknown').length,
    steps: route.rule.targets.map(({ id, model }) => ({ id, model, ...shareOf(id, judged) })),
    examples: moved.slice(0, EXAMPLES_MAX).map(({ row, candidate }) => ({
      requestId: row.id,
      before: modelBefore(row),
      after: candidate === undefined ? null : modelAfter(candidate),
    })),
  }
}

function judge(row: LoggedRequest, route: RuleRoute, choosing: Choosing<RankedAccount>, costOf: CostOf): Judged {
  for (const considered of candidatesOf(route, choosing)) {
    if (considered.skipped === null) {
      const { provider, model, account } = considered
      const { keyId = null, planId = null } = choosing.view
      const payer = { keyId, planId, accountId: account?.id ?? null }
      const { costNano, costSource } = costOf(provider, model, row.usage, payer, row.atMs)
      return { row, verdict: 'served', candidate: considered, costNano: costSource === 'unknown' ? null : costNano }
    }
    if (considered.skipped === 'condition_unknown')
      return { row, verdict: 'unknown', candidate: undefined, costNano: row.costNano }
  }
  return { row, verdict: 'unserved', candidate: undefined, costNano: 0 }
}

function isMoved({ row, verdict, candidate }: Judged): boolean {
  if (verdict === 'unknown') return false
  return candidate === undefined ? row.provider !== null : modelBefore(row) !== modelAfter(candidate)
}

function shareOf(stepId: string, judged: readonly Judged[]): Pick<PastStep, 'requests' | 'costNano'> {
  const mine = judged.filter(({ candidate }) => candidate?.via[0]?.target.id === stepId)
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
