/** What the gateway keeps of conversations between their requests: in this process alone, bounded, never on disk. */
import { Idempotency } from './copies/idempotency.ts'
import { RefusedState } from './translate/prefix-change.ts'
import { IssuedAnswers, ResponseStore } from './routes/response-store.ts'
import { SignatureMemory } from './translate/signature-memory.ts'

export interface Memory {
  readonly idempotency: Idempotency
  readonly refused: RefusedState
  readonly responses: ResponseStore
  readonly issued: IssuedAnswers
  readonly signatures: SignatureMemory
}

export function newMemory(): Memory {
  return {
    idempotency: new Idempotency(),
    refused: new RefusedState(),
    responses: new ResponseStore(),
    issued: new IssuedAnswers(),
    signatures: new SignatureMemory(),
  }
}
