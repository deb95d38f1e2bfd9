import type { ModelFacts } from '../../catalog/provider.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { err, type Result } from '../../core/result.ts'
import type { ChatRequest } from '../neutral.ts'

export interface FittedRequest {
  readonly request: ChatRequest
  /** What was left out, by wire name. */
  readonly dropped: readonly string[]
  /** The tool of ours whose call is the answer; see `answer-tool.ts`. */
  readonly answerTool?: string
}

/** One thing after another is made to fit. */
export type Fit = (fitted: FittedRequest, facts: ModelFacts) => Result<FittedRequest, Failure>

export function unsupported(param: string, claim: string): Result<never, Failure> {
  return err(failure('unsupported', `${param}: ${claim}.`, { param }))
}

/** The request with `changes`, and what was left out of it. */
export function changed(fitted: FittedRequest, changes: Partial<ChatRequest>, dropped?: string): FittedRequest {
  const names = dropped === undefined ? fitted.dropped : [...fitted.dropped, dropped]
  return { ...fitted, request: { ...fitted.request, ...changes }, dropped: names }
}

/** `text` after all other instructions. */
export function withSystem(request: ChatRequest, text: string): ChatRequest {
  return { ...request, system: [...request.system, { type: 'text', text }] }
}
