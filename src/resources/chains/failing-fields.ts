/** What may be said of failures, within which bounds: by chains for their requests, and by the settings for all others. */
import { Type } from '@sinclair/typebox'
import { choice } from '../../http/choice.ts'
import { FALLBACK_KINDS } from '../../routing/failure-policy.ts'
import { RETRY_KINDS } from './chain.ts'

export const retryFields = {
  per_step: Type.Integer({ minimum: 1, maximum: 10, description: 'attempts at one target before the next' }),
  total_attempts: Type.Integer({ minimum: 1, maximum: 20, description: 'over all targets' }),
  base_ms: Type.Integer({ minimum: 0, maximum: 60_000, description: 'before a second attempt at a target' }),
  max_ms: Type.Integer({ minimum: 0, maximum: 600_000, description: 'before any further one' }),
  jitter: Type.Number({ minimum: 0, maximum: 1, description: 'the share of a wait that chance takes away' }),
  on: Type.Array(choice(RETRY_KINDS), { maxItems: RETRY_KINDS.length, uniqueItems: true }),
}

export const fallbackField = Type.Array(choice(FALLBACK_KINDS), {
  maxItems: FALLBACK_KINDS.length,
  uniqueItems: true,
  description: 'failures after which the next target is tried',
})
