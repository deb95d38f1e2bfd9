import { failure, type Failure } from '../core/failure.ts'
import type { GatewaySettings } from './deps.ts'

const RETRY_AFTER_MS = 60_000

/** The owner's switch for all spending: asked when a request comes, and by `stopped.ts` before each attempt. Undefined: go on. */
export function pausedBy({ paused }: Pick<GatewaySettings, 'paused'>): Failure | undefined {
  if (!paused) return undefined
  return failure('paused', 'The owner has paused all inference.', { retryAfterMs: RETRY_AFTER_MS })
}
