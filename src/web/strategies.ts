/** In what order rules try their targets, in words: chains and aliases choose alike. */
import type { Alias, Chain } from './wire.ts'

export type Strategy = Chain['strategy'] & Alias['strategy']

interface StrategyWords {
  readonly label: string
  /** One line under the choice. */
  readonly meaning: string
}

export const STRATEGY_WORDS: Readonly<Record<Strategy, StrategyWords>> = {
  priority: { label: 'In order', meaning: 'The first that can answer does; the next only when it fails.' },
  weighted: { label: 'By weight', meaning: 'Each gets its share of the requests; the others stand by.' },
  round_robin: { label: 'In turn', meaning: 'Each request begins with the next one.' },
  least_busy: { label: 'Least busy', meaning: 'The one with the fewest requests in flight.' },
  lowest_latency: { label: 'Fastest', meaning: 'The one whose first token came soonest lately.' },
  lowest_cost: { label: 'Cheapest', meaning: 'The one where this request costs least.' },
  p2c: { label: 'Better of two', meaning: 'Two are drawn, and the less busy one is asked.' },
  sticky: { label: 'Stay', meaning: 'A conversation stays where it began, while that works.' },
  quota_aware: { label: 'Most quota left', meaning: 'The one whose quota is least used.' },
  random: { label: 'At random', meaning: 'Any, all alike.' },
}

export const STRATEGY_OPTIONS = (Object.keys(STRATEGY_WORDS) as Strategy[]) // the keys of a constant
  .map((value) => ({ value, label: STRATEGY_WORDS[value].label }))

/** What chains can do besides. */
export const CHAIN_STRATEGY_WORDS: Readonly<Record<Chain['strategy'], StrategyWords>> = {
  ...STRATEGY_WORDS,
  ensemble: { label: 'All together', meaning: 'Several are asked at once, and one more judges their answers.' },
}

export const CHAIN_STRATEGY_OPTIONS = (Object.keys(CHAIN_STRATEGY_WORDS) as Chain['strategy'][]) // as above
  .map((value) => ({ value, label: CHAIN_STRATEGY_WORDS[value].label }))
