/** What the model's name in a request means, and what the key may use of it. */
import { failure, type Failure } from '../core/failure.ts'
import { err, type Result } from '../core/result.ts'
import type { Choosing } from '../routing/candidates.ts'
import { isForbidden } from '../routing/choose.ts'
import type { RequestView } from '../routing/request-view.ts'
import { type ModelDirectory, resolveModel } from '../routing/resolve.ts'
import type { Route } from '../routing/route.ts'
import { publicName } from '../routing/rule.ts'
import { mayUse } from './admit.ts'
import type { GatewayAccount, GatewayDeps, GatewayKey } from './deps.ts'

/** The name that counts: the one in the request, unless the key's plan sends all its chats through one chain. */
export function askedBy({ directory }: Pick<GatewayDeps, 'directory'>, { chainId }: GatewayKey, name: string): string {
  const chain = chainId === null ? undefined : directory().rules.withId(chainId)
  return chain === undefined ? name : publicName(chain)
}

/** Failures: `unknown_model`; `forbidden` when the key may use nothing of what the name stands for. */
export function chooseModel(deps: GatewayDeps, key: GatewayKey, name: string): Result<Route, Failure> {
  const route = resolveModel(name, directoryFor(deps, key), 'chat', (offered) => mayUse(key, [offered]))
  if (!route.ok || !isForbidden(route.value, permitsOf(key, name))) return route
  const full = route.value.kind === 'rule' ? name : `${route.value.step.provider.id}/${route.value.step.model}`
  return err(failure('forbidden', `This gateway key may not use the model "${full}".`, { param: 'model' }))
}

/** What `auto` means is the key's to say, before the settings. */
function directoryFor({ directory }: GatewayDeps, { defaultModel }: GatewayKey): ModelDirectory {
  return defaultModel === null ? directory() : { ...directory(), defaultModel }
}

export function choosingOf(
  { accounts, observations, settings }: GatewayDeps,
  key: GatewayKey,
  asked: string,
  view: RequestView,
): Choosing<GatewayAccount> {
  const { accountIds } = key
  const { preferences } = settings()
  return { accounts, view, seen: observations, preferences, permits: permitsOf(key, asked), accountIds }
}

/** The key is asked about every name of a model, the one in the request included; without lists it may use all. */
function permitsOf(key: GatewayKey, asked: string): (names: readonly string[]) => boolean {
  if (key.modelsAllow === null && key.modelsDeny === null) return () => true
  return (names) => mayUse(key, [asked, ...names])
}
