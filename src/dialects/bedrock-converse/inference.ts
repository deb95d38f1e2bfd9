/** Limits and sampling. What all models take is `inferenceConfig`; the rest goes under the maker's own name, or nowhere. */
import type { JsonObject } from '../../core/json.ts'
import type { ChatRequest, Sampling } from '../neutral.ts'
import type { Encoding } from './encoding.ts'
import type { Thinking } from './extras.ts'

export interface Inference {
  readonly config: JsonObject
  /** Members of `additionalModelRequestFields`. */
  readonly fields: JsonObject
}

export function encodeInference(encoding: Encoding, request: ChatRequest, thinking: Thinking): Inference {
  const { sampling } = request
  const isFree = encoding.target.capabilities.sampling && !thinking.refusesSampling
  if (request.maxTokens === 0) encoding.losses.refuse('max_tokens', 'must allow an answer')
  dropUnknown(encoding, sampling)
  const { maxTokens } = thinking
  return {
    config: {
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...encodeSampling(encoding, sampling, isFree),
      ...encodeStop(encoding, sampling.stop),
    },
    fields: encodeTopK(encoding, sampling.topK, isFree),
  }
}

/** Newer models of Claude refuse both together, so temperature stays. */
function encodeSampling({ losses, traits }: Encoding, { temperature, topP }: Sampling, isFree: boolean): JsonObject {
  const isOneTooMany = traits.extras === 'claude' && temperature !== undefined
  if (temperature !== undefined && !isFree) losses.drop('temperature')
  if (topP !== undefined && (!isFree || isOneTooMany)) losses.drop('top_p')
  return {
    ...(temperature === undefined || !isFree ? {} : { temperature: clamp(temperature) }),
    ...(topP === undefined || !isFree || isOneTooMany ? {} : { topP: clamp(topP) }),
  }
}

function encodeTopK({ losses, traits }: Encoding, topK: number | undefined, isFree: boolean): JsonObject {
  if (topK === undefined) return {}
  if (isFree && traits.extras === 'claude') return { top_k: topK }
  if (isFree && traits.extras === 'nova') return { inferenceConfig: { topK } }
  losses.drop('top_k')
  return {}
}

/** Blank sequences are refused. */
function encodeStop({ losses, target }: Encoding, stop: readonly string[] | undefined): JsonObject {
  if (stop === undefined) return {}
  const sayable = target.capabilities.stopSequences ? stop.filter((sequence) => sequence.trim() !== '') : []
  if (sayable.length < stop.length) losses.drop('stop')
  return sayable.length === 0 ? {} : { stopSequences: sayable }
}

function dropUnknown({ losses }: Encoding, sampling: Sampling): void {
  if (sampling.minP !== undefined) losses.drop('min_p')
  if (sampling.seed !== undefined) losses.drop('seed')
  if (sampling.presencePenalty !== undefined) losses.drop('presence_penalty')
  if (sampling.frequencyPenalty !== undefined) losses.drop('frequency_penalty')
  if (sampling.logitBias !== undefined) losses.drop('logit_bias')
  if ((sampling.n ?? 1) > 1) losses.refuse('n', 'this model gives one answer at a time')
  if (sampling.logprobs !== undefined) losses.refuse('logprobs', 'this model gives no log-probabilities')
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
