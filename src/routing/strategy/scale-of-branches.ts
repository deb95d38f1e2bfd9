/** How the targets of a rule compare. A target that is a rule again counts as the best model behind it. */
import type { ProviderSpec } from '../../catalog/provider.ts'
import type { Load } from '../affinity.ts'
import type { OpenBranch, Parts } from '../leaves.ts'
import type { Route, Step } from '../route.ts'
import type { Scale } from './arrange.ts'

/** What an answer is taken to be long, where the request allows as much. */
const OUTPUT_TOKENS_TYPICAL = 1_000
/** Where nobody kept how long the request is. */
const INPUT_TOKENS_TYPICAL = 1_000
/** Accounts of a provider that are asked for their quota; the best one stands for all. */
const ACCOUNTS_ASKED_MAX = 16

export function scaleOfBranches(parts: Parts): Scale<OpenBranch> {
  const { seen } = parts
  return {
    idOf: ({ target }) => target.id,
    weightOf: ({ target }) => target.weight,
    busyOf: ({ to }) => busyOf(to, parts),
    latencyOf: ({ to }) => best(to, ({ provider, model }) => seen.latencyMs(provider.id, model)),
    costOf: ({ to }) => best(to, ({ provider, model }) => costOf(provider, model, parts)),
    quotaOf: ({ to }) => quotaOf(to, parts),
  }
}

export function loadOf(route: Route, parts: Parts): Load {
  return { busy: busyOf(route, parts), quota: quotaOf(route, parts) }
}

function busyOf(route: Route, { seen }: Parts): number {
  return best(route, ({ provider, model }) => seen.inFlightOfModel(provider.id, model)) ?? 0
}

function quotaOf(route: Route, parts: Parts): number | undefined {
  const spent = best(route, (step) => {
    const left = quotaOfModel(step, parts)
    return left === undefined ? undefined : 1 - left
  })
  return spent === undefined ? undefined : 1 - spent
}

function quotaOfModel({ provider, model }: Step, { accounts, seen }: Parts): number | undefined {
  const asked = accounts.of(provider.id).slice(0, ACCOUNTS_ASKED_MAX)
  const said = asked.flatMap(({ id }) => seen.quotaLeft(id, model) ?? [])
  return said.length === 0 ? undefined : Math.max(...said)
}

function costOf(provider: ProviderSpec, model: string, { seen, view }: Parts): number | undefined {
  const price = seen.priceOf(provider, model)
  if (price === undefined) return undefined
  const output = Math.min(view.maxTokens ?? OUTPUT_TOKENS_TYPICAL, OUTPUT_TOKENS_TYPICAL)
  return (view.inputTokens ?? INPUT_TOKENS_TYPICAL) * price.input + output * price.output
}

/** The least over all models that a route leads to; undefined when none has any. */
function best(route: Route, measure: (step: Step) => number | undefined): number | undefined {
  if (route.kind === 'model') return measure(route.step)
  let least: number | undefined
  for (const { to } of route.branches()) {
    const value = to === null ? undefined : best(to, measure)
    if (value !== undefined && (least === undefined || value < least)) least = value
  }
  return least
}
