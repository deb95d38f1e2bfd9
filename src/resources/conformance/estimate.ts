/** What a check will cost, told before anything is asked: from the very bytes that would be sent. */
import type { Random } from '../../core/random.ts'
import { NO_USAGE, type Usage } from '../../core/usage.ts'
import { TRIAL_CALLS_MAX } from './endpoint-run.ts'
import { prepareQuestion, type Place } from './inquiry.ts'
import { outputTokensMax, QUESTIONS } from './questions.ts'

export interface Estimate {
  readonly calls: number
  /** As it usually comes. */
  readonly usual: Usage
  /** Every answer as long as it may be, and every quirk tried. */
  readonly most: Usage
}

const BYTES_PER_TOKEN = 4
/** As hosts count a small image. */
const IMAGE_TOKENS = 260
const USUAL_OUTPUT_TOKENS = 40
const USUAL_THINKING_TOKENS = 300

/** For one endpoint. */
export function estimateFor(place: Place, random: Random): Estimate {
  const { quirks } = place.endpoint
  const inputs = QUESTIONS.flatMap((question) => {
    const call = prepareQuestion(question, quirks, place, random)
    if (!call.ok) return []
    const bytes = call.value.question.body?.length ?? 0
    return [Math.ceil(bytes / BYTES_PER_TOKEN) + (question.id === 'image' ? IMAGE_TOKENS : 0)]
  })
  const input = inputs.reduce((sum, tokens) => sum + tokens, 0)
  const calls = inputs.length
  const longest = Math.max(0, ...inputs)
  const each = outputTokensMax(place.facts)
  const usualEach = place.facts.thinking === 'none' ? USUAL_OUTPUT_TOKENS : USUAL_THINKING_TOKENS
  return {
    calls,
    usual: tokens(input, calls * usualEach),
    most: tokens(input + TRIAL_CALLS_MAX * longest, (calls + TRIAL_CALLS_MAX) * each),
  }
}

function tokens(inputUncached: number, output: number): Usage {
  return { ...NO_USAGE, inputUncached, output, estimated: true }
}
