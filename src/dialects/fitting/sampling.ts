import type { ModelFacts, SamplingParameter } from '../../catalog/provider.ts'
import type { Failure } from '../../core/failure.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Sampling } from '../neutral.ts'
import { type FittedRequest, unsupported } from './fitted.ts'

const SAMPLING_NAMES: Readonly<Record<Exclude<SamplingParameter, 'n'>, keyof Sampling>> = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
}

/** Parameters that the model refuses although it takes others. */
export function fitSampling(fitted: FittedRequest, { samplingRefused }: ModelFacts): Result<FittedRequest, Failure> {
  const { sampling } = fitted.request
  if (samplingRefused.includes('n') && (sampling.n ?? 1) > 1)
    return unsupported('n', 'this model gives one answer at a time')
  const refused = Object.entries(SAMPLING_NAMES).filter(
    ([wire, name]) => samplingRefused.some((one) => one === wire) && sampling[name] !== undefined,
  )
  if (refused.length === 0) return ok(fitted)
  const names = new Set<string>(refused.map(([, name]) => name))
  const kept: Sampling = Object.fromEntries(Object.entries(sampling).filter(([name]) => !names.has(name)))
  const dropped = [...fitted.dropped, ...refused.map(([wire]) => wire)]
  return ok({ ...fitted, request: { ...fitted.request, sampling: kept }, dropped })
}
