import { inputTokens } from '../../../core/usage.ts'
import type { Facts, Finding } from './finding.ts'

/** Traffic that is in no sum of costs. */
export function unpricedModels({ models }: Facts): readonly Finding[] {
  return models
    .filter(({ costUnknown }) => costUnknown > 0)
    .map(({ model, costUnknown, tokens }) => ({
      kind: 'unpriced_model',
      severity: 'warning',
      text: `What ${costUnknown} requests to ${model} cost is not known: it has no price, and no budget sees them.`,
      evidence: { model, requests: costUnknown, input_tokens: inputTokens(tokens), output_tokens: tokens.output },
      action: { text: 'Say what it costs', path: `/models/prices/new?model=${encodeURIComponent(model)}` },
    }))
}
