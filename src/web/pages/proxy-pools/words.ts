/** The API's words of proxy pools, and what they mean. */
import type { ProxyPool } from '../../wire.ts'

export const STRATEGIES: readonly { readonly value: ProxyPool['strategy']; readonly label: string }[] = [
  { value: 'sticky_account', label: 'An account keeps its exit' },
  { value: 'round_robin', label: 'In turn' },
  { value: 'random', label: 'By chance' },
  { value: 'least_latency', label: 'The fastest' },
]

export const STRATEGY_HINTS: Readonly<Record<ProxyPool['strategy'], string>> = {
  sticky_account: 'The provider sees each account at one address, until that exit fails.',
  round_robin: 'Calls go round all exits that work, by their weight.',
  random: 'Each call takes an exit that works, by its weight.',
  least_latency: 'The exit whose last check was quickest.',
}

const OF_PROVIDER = 'provider:'

/** Null: the scope is not that of a provider. */
export function providerOf(scope: string): string | null {
  return scope.startsWith(OF_PROVIDER) ? scope.slice(OF_PROVIDER.length) : null
}

export function scopeOfProvider(id: string): string {
  return `${OF_PROVIDER}${id}`
}

/** Whose calls leave through a pool, in one phrase. */
export function scopeText(scope: string): string {
  const provider = providerOf(scope)
  if (provider !== null) return `all accounts at ${provider}`
  return scope === 'global' ? 'everything' : 'those who name it'
}

type State = ProxyPool['status'][number]['state']

/** How many exits of a pool work, of those that are in use. */
export function exitCounts({ endpoints, status }: ProxyPool): Readonly<Record<State, number>> & { used: number } {
  const used = status.filter((_, at) => endpoints[at]?.enabled === true)
  const count = (state: State): number => used.filter((exit) => exit.state === state).length
  return { up: count('up'), down: count('down'), unknown: count('unknown'), used: used.length }
}
