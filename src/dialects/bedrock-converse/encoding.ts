import type { TargetContext } from '../dialect.ts'
import type { LossList } from '../losses.ts'
import type { DocumentNames } from './document-names.ts'
import type { ModelTraits } from './model.ts'

/** What one encoding needs to know and what it has to report. */
export interface Encoding {
  readonly target: TargetContext
  readonly traits: ModelTraits
  readonly sentNames: ReadonlyMap<string, string>
  readonly documentNames: DocumentNames
  readonly losses: LossList
}

/** Whether the model's family and the model itself can be held to a schema. */
export function keepsSchemas({ traits, target }: Encoding): boolean {
  return traits.schemas && target.capabilities.jsonSchema !== false
}
