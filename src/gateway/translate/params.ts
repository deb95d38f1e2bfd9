/** Parameters that rules and limits put into a request, whatever dialect its client speaks. */
import type { ModelFacts } from '../../catalog/provider.ts'
import type { ChatRequest, Reasoning } from '../../dialects/neutral.ts'
import type { Terms } from '../../routing/route.ts'
import { NO_PARAMS, type RuleParams } from '../../routing/rule.ts'

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

/**
 * The request with an answer of at most `tokensMax`. To its target's format the model is then one that can do no more, so that
 * nothing which is made of other parameters, such as room for thinking, lifts the length again. Null: it stays as it is.
 */
export function capped<Facts extends Pick<ModelFacts, 'maxOutputTokens'>>(
  request: ChatRequest,
  capabilities: Facts,
  tokensMax: number | null,
): { readonly request: ChatRequest; readonly capabilities: Facts } {
  if (tokensMax === null) return { request, capabilities }
  const least = (tokens: number | undefined): number => Math.min(tokens ?? tokensMax, tokensMax)
  return {
    request: { ...request, maxTokens: least(request.maxTokens) },
    capabilities: { ...capabilities, maxOutputTokens: least(capabilities.maxOutputTokens) },
  }
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
