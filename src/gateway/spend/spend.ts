/**
 * What an attempt may spend: reserved with all rules that count it right before it is sent, at the price of its own target, and
 * settled in the meter with what it came to. Whoever may not spend it is passed over for now, and told why in the end.
 */
import { err, ok, type Result } from '../../core/result.ts'
import { bufferOf, type ScannedObject } from '../../core/json-scan.ts'
import { costOfSize, type Demand, forcedOutput, sizeOf } from '../../ledger/spending/reservation.ts'
import type { Quote, Reservation, SpendRule, Spender } from '../../ledger/spending/spending.ts'
import type { Candidate } from '../../routing/candidates.ts'
import { publicName } from '../../routing/rule.ts'
import { CHARACTERS_PER_TOKEN } from '../count-tokens.ts'
import type { GatewayAccount } from '../deps.ts'
import type { Exchange } from '../exchange.ts'
import { type BudgetRefusal, refusedByRule, refusedByChain } from './over-budget.ts'
import { valueAt } from '../read.ts'

type Target = Candidate<GatewayAccount>

/** What in a body bears on what its answers may cost. */
export type Wants = Pick<Demand, 'answers' | 'audio' | 'longCache' | 'priority'>

/** Where formats say how many answers they want. */
const ANSWERS = ['n', 'best_of', 'generationConfig.candidateCount', 'generation_config.candidate_count'] as const
/** How formats ask for a cache that is kept for an hour, for sound, and for a tier that may cost more. */
const LONG_CACHE = Buffer.from('"1h"')
const AUDIO = Buffer.from('"audio"')
const CHEAPER_TIERS: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  'default',
  'standard',
  'standard_only',
  'flex',
  'batch',
])

export function spenderOf({ key }: Pick<Exchange, 'key'>, target: Target): Spender {
  const { provider, model, publicModel, account, via } = target
  const rules = via.map(({ rule }) => rule)
  const before = publicModel === model ? [] : [`${provider.id}/${publicModel}`]
  return {
    keyId: key.id,
    planId: key.planId,
    tags: key.tags,
    provider: provider.id,
    model,
    names: [...before, ...rules.map(publicName)],
    accountId: account?.id ?? null,
    chainIds: rules.flatMap(({ kind, id }) => (kind === 'chain' ? id : [])),
  }
}

/**
 * The request as it goes to a target that a strict rule counts: its answer has a limit, the one that it asks for or else the model's,
 * so that nothing is longer than what is reserved.
 */
export function bounded(exchange: Exchange, target: Target): Exchange {
  const { deps, outputTokensMax } = exchange
  if (!deps.spending.isStrict(spenderOf(exchange, target))) return exchange
  const asked = askedOutput(exchange, target) ?? forcedOutput(factsOf(exchange, target))
  return { ...exchange, outputTokensMax: Math.min(asked, outputTokensMax ?? Infinity) }
}

/** Failure: what refuses, and how long. */
export async function reserve(exchange: Exchange, target: Target): Promise<Result<Reservation, BudgetRefusal>> {
  const spender = spenderOf(exchange, target)
  const quote = (how: SpendRule['reserve']): Quote => quoteOf(exchange, target, how)
  const isMeasured = target.via.some(({ rule }) => rule.budgetNano !== undefined)
  const reserved = await exchange.deps.spending.reserve({ spender, waives: exchange.waives ?? null, isMeasured, quote })
  return reserved.ok ? ok(reserved.value) : err(refusedByRule(reserved.error, target))
}

/**
 * The first chain on the way whose limit for one request would be passed by this attempt after those that were made or are under way.
 * An attempt counts once the meter has it.
 */
export function overChain(exchange: Exchange, target: Target): BudgetRefusal | undefined {
  for (const { rule } of target.via) {
    if (rule.budgetNano === undefined) continue
    const { costNano } = quoteOf(exchange, target, 'expected')
    if (costNano === null || exchange.meter.spentNano + costNano > rule.budgetNano)
      return refusedByChain(rule.name, costNano === null, target)
  }
  return undefined
}

function quoteOf(exchange: Exchange, target: Target, how: SpendRule['reserve']): Quote {
  const { deps, key, call } = exchange
  const { provider, model, account } = target
  const demand = demandOf(exchange, target)
  const size = sizeOf(demand, how)
  if (provider.kind !== 'open-api') return { costNano: 0, isUnpriced: false, ...size }
  const payer = { keyId: key.id, planId: key.planId, accountId: account?.id ?? null }
  const { price, isFallback } = deps.priceFor(provider, model, payer, call.atMs)
  const costNano = price === undefined ? null : costOfSize(size, price, demand)
  return { costNano, isUnpriced: isFallback, ...size }
}

function demandOf(exchange: Exchange, target: Target): Demand {
  const { deps, key, body, injected, outputTokensMax } = exchange
  const wants = exchange.wants()
  const added = injected.reduce((sum, { text }) => sum + text.length, 0)
  const asked = askedOutput(exchange, target)
  const most = Math.min(asked ?? Infinity, outputTokensMax ?? Infinity)
  const { answers } = wants
  return {
    ...wants,
    inputTokens: body.facts.inputTokensEstimate + Math.ceil(added / CHARACTERS_PER_TOKEN),
    outputTokensMax: most === Infinity ? null : most * answers,
    usualOutputTokens: deps.answerSizes.usual(key.id, `${target.provider.id}/${target.model}`),
    modelOutputTokensMax: factsOf(exchange, target).modelOutputTokensMax,
    images: body.facts.images > 0,
  }
}

/** Of a body, whatever target it goes to. It is read from end to end for this: once for each request that is reserved for. */
export function wantsOf(scanned: ScannedObject): Wants {
  const bytes = bufferOf(scanned.bytes)
  return {
    answers: answersOf(scanned),
    audio: bytes.includes(AUDIO),
    longCache: bytes.includes(LONG_CACHE),
    priority: !CHEAPER_TIERS.has(valueAt(scanned, 'service_tier')),
  }
}

/** How long an answer the request asks for, with what rules on the way put into it; null: it does not say. */
function askedOutput({ body }: Pick<Exchange, 'body'>, { terms }: Target): number | null {
  return terms.overrides.maxTokens ?? body.facts.maxTokens ?? terms.defaults.maxTokens ?? null
}

function factsOf({ deps }: Exchange, { provider, model }: Target): Pick<Demand, 'modelOutputTokensMax'> {
  return { modelOutputTokensMax: deps.capabilitiesOf(provider, model).maxOutputTokens }
}

function answersOf(scanned: ScannedObject): number {
  let most = 1
  for (const name of ANSWERS) {
    const count = valueAt(scanned, name)
    if (typeof count === 'number') most = Math.max(most, Math.ceil(count))
  }
  return most
}
