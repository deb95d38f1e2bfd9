/** Sampling parameters: few of the neutral ones exist here, and newer models take none. */
import type { JsonObject } from '../../core/json.ts'
import type { Sampling } from '../neutral.ts'
import type { Encoding } from './encoding.ts'

/** A thinking model refuses them all; temperature and top_p together are too much for the others, so temperature stays. */
export function encodeSampling(encoding: Encoding, sampling: Sampling, isThinking: boolean): JsonObject {
  const { capabilities } = encoding.target
  const isFree = capabilities.sampling && !isThinking
  const body: Record<string, number> = {}
  for (const [name, value] of wireSampling(sampling)) {
    if (value === undefined) continue
    const isSent = isFree && KNOWN.has(name) && !(name === 'top_p' && sampling.temperature !== undefined)
    if (isSent) body[name] = name === 'top_k' ? value : clamp(value)
    else encoding.dropped.add(name)
  }
  if (sampling.logitBias !== undefined) encoding.dropped.add('logit_bias')
  return { ...body, ...encodeStop(encoding, sampling.stop) }
}

const KNOWN: ReadonlySet<string> = new Set(['temperature', 'top_p', 'top_k'])

function wireSampling(sampling: Sampling): readonly (readonly [string, number | undefined])[] {
  return [
    ['temperature', sampling.temperature],
    ['top_p', sampling.topP],
    ['top_k', sampling.topK],
    ['min_p', sampling.minP],
    ['seed', sampling.seed],
    ['presence_penalty', sampling.presencePenalty],
    ['frequency_penalty', sampling.frequencyPenalty],
  ]
}

/** Blank sequences are refused. */
function encodeStop({ target, dropped }: Encoding, stop: readonly string[] | undefined): JsonObject {
  if (stop === undefined) return {}
  const sayable = target.capabilities.stopSequences ? stop.filter((sequence) => sequence.trim() !== '') : []
  if (sayable.length < stop.length) dropped.add('stop')
  return sayable.length === 0 ? {} : { stop_sequences: sayable }
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
