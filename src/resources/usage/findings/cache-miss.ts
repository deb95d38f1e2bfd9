import { nanoFromPico, usdFromNano } from '../../../core/money.ts'
import { inputTokens } from '../../../core/usage.ts'
import type { ModelReport } from '../usage.ts'
import { type Facts, type Finding, percent, shownUsd } from './finding.ts'

const REQUESTS_MIN = 50
/** Providers keep prefixes from about a thousand tokens on; prompts that short have little to save. */
const PROMPT_TOKENS_MIN = 4_000
const HIT_RATE_MAX = 0.2
const SAVED_NANO_MIN = 1e9
/** Of a long prompt that is sent again and again, most could be read from a cache. */
const READABLE_SHARE = 0.5

/** Long prompts to a model whose provider would read them from a cache for less, but hardly does. */
export function cacheMisses({ models, ratesOf }: Facts): readonly Finding[] {
  return models.flatMap((report) => {
    const rates = ratesOf(report.model)
    return rates === undefined ? [] : foundIn(report, rates.input - rates.cacheRead)
  })
}

function foundIn(report: ModelReport, cheaperPico: number): readonly Finding[] {
  const { model, requests, tokens } = report
  const input = inputTokens(tokens)
  const hitRate = input === 0 ? 1 : tokens.cacheRead / input
  const savedNano = nanoFromPico(tokens.inputUncached * READABLE_SHARE * cheaperPico)
  const isLong = input / Math.max(requests, 1) >= PROMPT_TOKENS_MIN
  if (requests < REQUESTS_MIN || !isLong || hitRate > HIT_RATE_MAX || savedNano < SAVED_NANO_MIN) return []
  return [
    {
      kind: 'cache_miss_cost',
      severity: 'warning',
      text: `${model} reads ${percent(hitRate)} of its long prompts from a cache; with half of the rest it would have cost ${shownUsd(savedNano)} less.`,
      evidence: {
        model,
        requests,
        tokens_per_request: Math.round(input / requests),
        hit_rate: hitRate,
        uncached_tokens: tokens.inputUncached,
        saving_usd: usdFromNano(savedNano),
      },
      action: {
        text: 'Keep what does not change at the beginning of the prompt, and mark it for the cache where the provider wants that',
        path: `/models/one?id=${encodeURIComponent(model)}`,
      },
    },
  ]
}
