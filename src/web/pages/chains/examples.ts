/** Chains to begin with, made of the models that this installation has. Pure. */
import { DEMO_MODEL, type GatewayModels } from '../../gateway-models.ts'
import { type ChainFields, NEW_CHAIN, newStep } from './chain-draft.ts'

export const EXAMPLES = [
  {
    id: 'fallback',
    label: 'One model, and another when it fails',
    name: 'Coding',
  },
  {
    id: 'short-first',
    label: 'Short requests to a small model',
    name: 'Short first',
  },
] as const

const SHORT_TOKENS = 16_000
/** Names of models that cost little. */
const SMALL = /mini|nano|haiku|flash|lite|small|\b\d{1,2}b\b/

/** Undefined for no example, or one that is not known. */
export function exampleOf(id: string | undefined, models: GatewayModels): ChainFields | undefined {
  const example = EXAMPLES.find((one) => one.id === id)
  if (example === undefined) return undefined
  const { preferred, names } = models
  const other = names.find((name) => name !== preferred && name.split('/')[0] !== preferred.split('/')[0]) ?? DEMO_MODEL
  if (example.id === 'fallback') return chainOf(example.name, [newStep([], preferred), secondStep(other)])
  const small = names.find((name) => name !== preferred && SMALL.test(name)) ?? DEMO_MODEL
  const short = { all: [{ fact: 'input_tokens', op: 'lt', value: SHORT_TOKENS }] }
  return chainOf(example.name, [{ ...newStep([], small), when: short }, secondStep(preferred)])
}

function secondStep(model: string) {
  return newStep([newStep([])], model)
}

function chainOf(name: string, steps: ChainFields['steps']): ChainFields {
  return { ...NEW_CHAIN, name, steps }
}
