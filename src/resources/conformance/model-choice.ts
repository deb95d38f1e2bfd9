/** Which model is asked where nobody named one: a cheap one of those that can be asked most. */
import { endpointsFor } from '../../catalog/endpoints.ts'
import type { Price } from '../../catalog/price.ts'
import type { ProviderEndpoint, ProviderSpec } from '../../catalog/provider.ts'
import { picoPerToken } from '../../core/money.ts'
import type { Account } from '../accounts/account.ts'
import { mayServe } from '../accounts/state.ts'
import type { ShownModel } from '../providers/service.ts'
import { QUESTIONS } from './questions.ts'

/** An account may not be allowed the first one. */
const CANDIDATES_MAX = 3
/** Questions that a model may be unfit for and still be a good choice. */
const UNFIT_MAX = 1
/** Input and output together: 8 $ per million tokens, some cents for a whole check. */
const CHEAP_PICO_MAX = picoPerToken(8)

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
    .toSorted((a, b) => rank(a, endpoint) - rank(b, endpoint) || picoOf(a.price) - picoOf(b.price))
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

/** Smaller is better; models that somebody has listed by hand are known best among those that are alike. */
function rank({ model: { capabilities, source }, price }: ShownModel, { dialect }: ProviderEndpoint): number {
  const unfit = QUESTIONS.filter((question) => question.unfit(capabilities) !== null).length
  const { chatToolsWithoutReasoning, efforts } = capabilities
  const refusesTools = dialect === 'openai-chat' && chatToolsWithoutReasoning === true && !efforts.includes('none')
  const isFit = unfit <= UNFIT_MAX && !refusesTools
  return (isFit ? 0 : 4) + (isCheap(price) ? 0 : 2) + (source === 'static' ? 0 : 1)
}

/** What costs nothing is mostly limited to a few calls. */
function isCheap(price: Price | undefined): boolean {
  return price !== undefined && picoOf(price) > 0 && picoOf(price) <= CHEAP_PICO_MAX
}

function picoOf(price: Price | undefined): number {
  return price === undefined ? Number.MAX_SAFE_INTEGER : price.input + price.output
}
