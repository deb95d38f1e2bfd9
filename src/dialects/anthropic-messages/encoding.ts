import { failure, type Failure } from '../../core/failure.ts'
import type { TargetContext } from '../dialect.ts'

/** What one encoding needs to know and what it has to report. */
export interface Encoding {
  readonly target: TargetContext
  readonly sentNames: ReadonlyMap<string, string>
  readonly dropped: Set<string>
  /** The first thing that cannot be carried. */
  refused: Failure | undefined
}

export function refuse(encoding: Encoding, param: string, claim: string): undefined {
  encoding.refused ??= failure('unsupported', `${param}: ${claim}.`, { param })
  return undefined
}
