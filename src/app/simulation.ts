/** What simulations and lists are told of the gateway: its own way to choose, without taking anybody's turn. */
import { type JointFacts, jointFacts } from '../catalog/joint-facts.ts'
import { mayUse } from '../gateway/admit.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import { observedOnly } from '../gateway/observed.ts'
import { budgetLeftPct } from '../gateway/request-view.ts'
import { viewOfSimulated } from '../gateway/simulated-request.ts'
import { ChainService } from '../resources/chains/service.ts'
import { ChainSimulator } from '../resources/chains/simulator.ts'
import { KeyService } from '../resources/keys/service.ts'
import { UsageStore } from '../resources/usage/store.ts'
import { reachedBy } from '../routing/reach.ts'
import { resolveModel } from '../routing/resolve.ts'

interface SimulatorParts {
  readonly gateway: GatewayDeps
  readonly keys: KeyService
  readonly usageStore: UsageStore
  readonly chains: ChainService
}

/** Chains are tried with what requests go by, as it is at that moment. */
export function openSimulator({ gateway, keys, usageStore, chains }: SimulatorParts): ChainSimulator {
  const { accounts, clock, costOf, counters, directory, observations, settings } = gateway
  return new ChainSimulator({
    chains,
    clock,
    directory,
    choice: () => ({
      accounts,
      seen: observedOnly(observations, counters),
      preferences: settings().preferences,
    }),
    keyOf: (id) => keys.byId(id),
    permits: (keyId, names) => {
      const key = keys.byId(keyId)
      return key !== undefined && mayUse(key, names)
    },
    budgetLeftPct: (key) => budgetLeftPct(gateway, key),
    viewOf: (request) => viewOfSimulated(request, settings().bodyBytesMax),
    costOf,
    log: usageStore,
  })
}

/** What the models behind a name have in common, as far as they are known. */
export function factsBehind({ directory, capabilitiesOf }: GatewayDeps, name: string): JointFacts | undefined {
  const route = resolveModel(name, directory(), 'chat', () => false)
  const steps = route.ok ? reachedBy(route.value) : []
  return jointFacts(steps.map(({ provider, model }) => capabilitiesOf(provider, model)))
}
