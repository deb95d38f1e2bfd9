/** Parameters that rules put into a request, whatever dialect its client speaks. */
import type { ChatRequest, Reasoning } from '../dialects/neutral.ts'
import type { Terms } from '../routing/route.ts'
import { NO_PARAMS, type RuleParams } from '../routing/rule.ts'

/** Do the rules on the way put anything in? Then the client's bytes cannot go on as they are. */
export function putsParams({ defaults, overrides }: Pick<Terms, 'defaults' | 'overrides'>): boolean {
  return defaults !== NO_PARAMS || overrides !== NO_PARAMS
}

/** The request as the rules want it: their defaults where it says nothing, their overrides whatever it says. */
export function withParams(
  request: ChatRequest,
  { defaults, overrides }: Pick<Terms, 'defaults' | 'overrides'>,
): ChatRequest {
  return put(put(request, lacking(request, defaults)), overrides)
}

function put(request: ChatRequest, { maxTokens, reasoning, ...sampling }: RuleParams): ChatRequest {
  return {
    ...request,
    sampling: { ...request.sampling, ...sampling },
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(reasoning === undefined ? {} : { reasoning: reasoningOf(request.reasoning, reasoning) }),
  }
}

/** Another amount of thinking takes the place of the client's; whether it wants to see it stays the client's to say. */
function reasoningOf(asked: Reasoning | undefined, wanted: NonNullable<RuleParams['reasoning']>): Reasoning {
  return asked?.summary === undefined ? wanted : { ...wanted, summary: asked.summary }
}

function lacking(request: ChatRequest, defaults: RuleParams): RuleParams {
  const said: Readonly<Record<string, unknown>> = { ...request.sampling, ...request }
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => said[name] === undefined))
}
