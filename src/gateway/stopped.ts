/** What stops a request that was admitted before it happened: asked again right before each attempt. */
import { failure, type Failure } from '../core/failure.ts'
import { DISABLED } from './admit.ts'
import { NOT_VALID } from './authenticate.ts'
import type { GatewayKey } from './deps.ts'
import type { Exchange } from './exchange.ts'
import { pausedBy } from './paused.ts'

/** Undefined: go on. Failures: `paused`; `unauthenticated` for a key that was disabled or deleted since. */
export function stoppedBy({ deps, key }: Pick<Exchange, 'deps' | 'key'>): Failure | undefined {
  return pausedBy(deps.settings()) ?? takenAway(deps.keys.byId(key.id))
}

/** Whoever takes a key away wants nothing more to be spent with it; one that has only expired since may end what it began. */
function takenAway(key: Pick<GatewayKey, 'status'> | undefined): Failure | undefined {
  if (key === undefined) return failure('unauthenticated', NOT_VALID)
  return key.status === 'disabled' ? failure('unauthenticated', DISABLED) : undefined
}
