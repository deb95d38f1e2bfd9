/** What a request says of limits and sampling, as `options`. */
import type { ModelCapabilities } from '../../catalog/provider.ts'
import type { JsonObject } from '../../core/json.ts'
import { dropPresent, type Losses } from '../losses.ts'
import type { ChatRequest, Sampling } from '../neutral.ts'
import { present } from '../present.ts'

/** What the server gives a model when nobody asks for more. https://docs.ollama.com/context-length (read 2026-11-21) */
const CONTEXT_TOKENS_USUAL = 4_096
/** Room for the answer when the client set no limit. */
const ANSWER_TOKENS = 2_048
const IMAGE_TOKENS = 1_024
/** On the safe side: most texts have four and more. */
const BYTES_PER_TOKEN = 3

/** `prompt`: the encoded messages and tools. */
export function encodeOptions(
  request: ChatRequest,
  prompt: JsonObject,
  capabilities: ModelCapabilities,
  losses: Losses,
): JsonObject {
  const { sampling, maxTokens } = request
  const limit = maxTokens && Math.min(maxTokens, capabilities.maxOutputTokens ?? maxTokens)
  if (sampling.logitBias !== undefined) losses.drop('logit_bias')
  return present({
    num_ctx: contextTokens(prompt, limit, capabilities.contextTokens),
    num_predict: limit,
    ...tuning(sampling, capabilities, losses),
    seed: sampling.seed,
    stop: sampling.stop,
  })
}

function tuning(sampling: Sampling, capabilities: ModelCapabilities, losses: Losses): JsonObject {
  const wishes = {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
  }
  if (capabilities.sampling) return wishes
  dropPresent(wishes, losses)
  return {}
}

/**
 * The server cuts a prompt that is longer than its context without a word, so a long one asks for more: the next power of two
 * that holds prompt and answer, at most what the model can do. Short ones ask for nothing, since another figure than the one
 * that a model was loaded with makes the server load it again; by steps that happens a few times in a long conversation.
 */
export function contextTokens(
  prompt: JsonObject,
  limit: number | undefined,
  contextTokensMax: number | undefined,
): number | undefined {
  const needed = promptTokens(prompt) + (limit ?? ANSWER_TOKENS)
  if (needed <= CONTEXT_TOKENS_USUAL) return undefined
  const step = 2 ** Math.ceil(Math.log2(needed))
  return Math.min(step, contextTokensMax ?? step)
}

function promptTokens(prompt: JsonObject): number {
  let images = 0
  const text = JSON.stringify(prompt, (name, value) => {
    if (name !== 'images' || !Array.isArray(value)) return value
    images += value.length
    return undefined
  })
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN) + images * IMAGE_TOKENS
}
