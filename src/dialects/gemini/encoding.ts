import type { TargetContext } from '../dialect.ts'
import type { LossList } from '../losses.ts'

/** What one encoding needs to know and where it reports what could not be carried. */
export interface Encoding {
  readonly target: TargetContext
  readonly sentNames: ReadonlyMap<string, string>
  readonly losses: LossList
}
