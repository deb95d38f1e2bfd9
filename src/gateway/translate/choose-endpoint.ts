/** Which of a provider's endpoints takes a request, and whether the client's own bytes may go there. */
import { endpointsFor } from '../../catalog/endpoints.ts'
import type { ModelFacts, ProviderEndpoint } from '../../catalog/provider.ts'
import { memberOf, valueOf } from '../../core/json-scan.ts'
import type { Candidate } from '../../routing/candidates.ts'
import type { GatewayAccount } from '../deps.ts'
import type { Exchange } from '../exchange.ts'
import type { ReadBody } from '../read.ts'

export interface ChosenEndpoint {
  readonly endpoint: ProviderEndpoint
  /** False: as the client wrote it, the model would refuse the request, so it has to be written anew. */
  readonly asWritten: boolean
}

/**
 * Of those that serve the model, the endpoint that speaks the client's dialect, else the preferred one; and never one that refuses
 * what is asked for. Models that take functions on Chat Completions only while they do not reason are asked by Responses, where they do both. A provider without
 * that gets the request with reasoning switched off, which its encoder says.
 */
export function chooseEndpoint(
  { endpoint: { dialect }, body, deps }: Exchange,
  { provider, model }: Candidate<GatewayAccount>,
): ChosenEndpoint {
  const endpoints = endpointsFor(provider, model)
  const spoken = dialect.passThrough?.dialect
  const chosen = endpoints.find((endpoint) => endpoint.dialect === spoken) ?? endpoints[0]
  if (chosen.dialect !== 'openai-chat' || !offersTools(body)) return { endpoint: chosen, asWritten: true }
  const facts = deps.capabilitiesOf(provider, model)
  const isFine =
    facts.chatToolsWithoutReasoning !== true || (spoken === chosen.dialect && rulesOutReasoning(body, facts))
  if (isFine) return { endpoint: chosen, asWritten: true }
  const responses = endpoints.find((endpoint) => endpoint.dialect === 'openai-responses')
  return { endpoint: responses ?? chosen, asWritten: false }
}

/** Chat's deprecated `functions` are tools, too. */
function offersTools({ facts, scanned }: ReadBody): boolean {
  return facts.tools > 0 || (memberOf(scanned, 'functions')?.items ?? 0) > 0
}

function rulesOutReasoning({ scanned }: ReadBody, { efforts }: ModelFacts): boolean {
  return valueOf(scanned, 'reasoning_effort') === 'none' && efforts.includes('none')
}
