/**
 * How the parts of the program are opened, a file each; what they are made of is said in app.ts, and they import it never. What one
 * needs of another, which may come later, it is handed. This is what all of them are given: the clock, chance, the log, and what the
 * internet is.
 */
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Random } from '../core/random.ts'
import type { SendDeps } from '../outbound/connector.ts'
import type { HashCost } from '../resources/auth/password.ts'
import { ConsoleRing } from '../resources/console/ring.ts'

export interface System {
  /** What is written to it is in `consoleRing`, too. */
  readonly log: Log
  readonly consoleRing: ConsoleRing
  readonly clock: Clock
  readonly random: Random
  readonly liveRequestsMax: number
  readonly notices: readonly string[]
  readonly hashCost: HashCost
  readonly internet: Pick<SendDeps, 'lookup' | 'classOf' | 'ca'>
}
