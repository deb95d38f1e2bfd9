/** `options` as clients write them. Those of the machine (`num_ctx`, `num_gpu` …) mean nothing to another provider. */
import { type FieldReader, pathOf, type Place } from '../field-reader.ts'
import type { Sampling } from '../neutral.ts'
import { present } from '../present.ts'

const KNOWN: ReadonlySet<string> = new Set([
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'seed',
  'stop',
  'num_predict',
  'presence_penalty',
  'frequency_penalty',
])

export interface DecodedOptions {
  readonly maxTokens?: number
  readonly sampling: Sampling
}

/** Options that have no place in a neutral request are added to `unknown`. */
export function readOptions(reader: FieldReader, root: Place, unknown: string[]): DecodedOptions {
  const options = reader.object(root, 'options') ?? { object: {}, path: 'options' }
  for (const name of Object.keys(options.object)) if (!KNOWN.has(name)) unknown.push(`options.${name}`)
  const alternatives = reader.integer(root, 'top_logprobs', 0)
  return {
    ...present({ maxTokens: readLimit(reader, options) }),
    sampling: present({
      temperature: reader.number(options, 'temperature'),
      topP: reader.number(options, 'top_p'),
      topK: reader.number(options, 'top_k'),
      minP: reader.number(options, 'min_p'),
      seed: reader.number(options, 'seed'),
      stop: readStop(reader, options),
      presencePenalty: reader.number(options, 'presence_penalty'),
      frequencyPenalty: reader.number(options, 'frequency_penalty'),
      logprobs: reader.boolean(root, 'logprobs') === true ? (alternatives ?? 0) : undefined,
    }),
  }
}

/** Below zero: as much as the model wants to say. */
function readLimit(reader: FieldReader, options: Place): number | undefined {
  const limit = reader.number(options, 'num_predict')
  if (limit === undefined || limit < 0) return undefined
  if (!Number.isSafeInteger(limit) || limit === 0)
    reader.refuse(pathOf(options, 'num_predict'), 'must be an integer other than 0')
  return limit
}

function readStop(reader: FieldReader, options: Place): readonly string[] | undefined {
  const { stop } = options.object
  const list = typeof stop === 'string' ? [stop] : reader.strings(options, 'stop')
  const filled = list?.filter((sequence) => sequence !== '')
  return filled === undefined || filled.length === 0 ? undefined : filled
}
