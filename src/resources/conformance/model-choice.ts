/** Which model is asked where nobody named one: the cheapest of those that are known to chat and to call tools. */
import { endpointsFor } from '../../catalog/endpoints.ts'
import type { Price } from '../../catalog/pricing.ts'
import type { ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import type { Account } from '../accounts/account.ts'
import { mayServe } from '../accounts/state.ts'
import type { ShownModel } from '../providers/service.ts'

/** An account may not be allowed the first one. */
const CANDIDATES_MAX = 3

/** Lists of models hold what is no chat; this is how such models are called. */
const NO_CHAT =
  /embed|whisper|tts|speech|transcri|dall-e|image|imagen|veo|sora|video|moderation|guard|rerank|realtime|live|audio|ocr|lyria|babbage|davinci|computer-use|deep-research/i

/** By their public names, the best first; empty when nothing is known that this endpoint serves. */
export function candidatesFor(
  provider: ProviderSpec,
  endpoint: ProviderEndpoint,
  account: Account,
  models: readonly ShownModel[],
): readonly string[] {
  return models
    .filter(({ model: { id } }) => isOffered(provider, id) && mayServe(account, id))
    .filter(({ model: { id } }) => endpointsFor(provider, id).includes(endpoint))
    .filter(isChat)
    .toSorted((a, b) => rank(a) - rank(b) || dollars(a.price) - dollars(b.price))
    .slice(0, CANDIDATES_MAX)
    .map(({ model }) => model.id)
}

/** Once the provider has said what it has, the rest is hearsay. */
function isOffered({ syncedModels }: ProviderSpec, id: string): boolean {
  return syncedModels === undefined || syncedModels.size === 0 || syncedModels.has(id)
}

function isChat({ model: { id, capabilities }, price }: ShownModel): boolean {
  const isPaidByInputAlone = price !== undefined && price.input > 0 && price.output === 0
  return capabilities.outputModalities.includes('text') && !isPaidByInputAlone && !NO_CHAT.test(id)
}

/** Models that somebody has listed by hand are known best; one without tools says little of what agents need. */
function rank({ model: { capabilities, source } }: ShownModel): number {
  return (capabilities.tools && capabilities.streaming ? 0 : 2) + (source === 'static' ? 0 : 1)
}

function dollars(price: Price | undefined): number {
  return price === undefined ? Number.MAX_SAFE_INTEGER : price.input + price.output
}
