/**
 * A request made to fit a model, before any dialect writes it down: what the model is known to refuse is left out and named,
 * said in another way, or refused by name. What a format can say is the business of its encoder; this is about models.
 */
import type { ModelFacts } from '../../catalog/provider.ts'
import type { Failure } from '../../core/failure.ts'
import { ok, type Result } from '../../core/result.ts'
import type { ChatRequest } from '../neutral.ts'
import { fitAnswerFormat } from './answer-format.ts'
import { fitCacheMarks, fitDocuments, fitSystem } from './conversation.ts'
import { type Fit, type FittedRequest, unsupported } from './fitted.ts'
import { fitSampling } from './sampling.ts'
import { fitParallelTools, fitToolChoice, fitToolList } from './tools.ts'

/** In this order: an answer that comes as a tool's call is a matter of tools from then on. */
const FITS: readonly Fit[] = [
  fitStream,
  fitDocuments,
  fitToolList,
  fitAnswerFormat,
  fitToolChoice,
  fitParallelTools,
  fitSampling,
  fitCacheMarks,
  fitSystem,
]

/** Failure: `unsupported`, with the neutral field, for what would change the answer if it were left out. */
export function fitRequest(request: ChatRequest, facts: ModelFacts): Result<FittedRequest, Failure> {
  let fitted: FittedRequest = { request, dropped: [] }
  for (const fit of FITS) {
    const next = fit(fitted, facts)
    if (!next.ok) return next
    fitted = next.value
  }
  return ok(fitted)
}

function fitStream(fitted: FittedRequest, { streaming }: ModelFacts): Result<FittedRequest, Failure> {
  return fitted.request.stream && !streaming ? unsupported('stream', 'this model does not stream') : ok(fitted)
}
