/**
 * Rules of choice: from the name that a client asked for to the targets that may answer, best first. Everything here is pure;
 * what changes (accounts, settings, time) is handed in, so that the same rules can explain a choice without making it.
 */
import { distance } from 'fastest-levenshtein'
import type { Capability, ProviderSpec } from '../catalog/provider.ts'
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import { NESTING_MAX, type Branch, type ModelRoute, type Route, type RuleRoute } from './route.ts'
import type { RuleBook } from './rule-book.ts'
import type { RouteRule, RuleTarget } from './rule.ts'
import { SKIP_MEANINGS, type SkipReason } from './skip.ts'

/** What names can mean right now. */
export interface ModelDirectory {
  provider(id: string): ProviderSpec | undefined
  /** Connected providers with the models that they list, the preferred provider first. */
  connected(): readonly ListedProvider[]
  readonly rules: RuleBook
  /** Aliases whose time is over: they mean nothing any more, but their callers are told. Absent: there are none. */
  readonly retired?: RuleBook
  readonly defaultModel: string | null
  readonly inferProvider: boolean
}

export interface ListedProvider {
  readonly provider: ProviderSpec
  readonly models: readonly string[]
}

const SUGGESTIONS_MAX = 3
const CHAIN_PREFIX = 'chain/'

/**
 * What `name` means, the first that fits: an alias of exactly this name; a chain behind `chain/`; a model behind a known provider,
 * whether or not a catalogue lists it; a chain's bare slug; the alias with a `*` that says most; `auto`; a model that connected
 * providers list, its own maker's first. Failures: `unknown_model`, with up to three near names out of `allowed`; `unsupported`
 * for a rule that serves other requests than `serves`.
 */
export function resolveModel(
  name: string,
  directory: ModelDirectory,
  serves: Capability,
  allowed: (name: string) => boolean,
): Result<Route, Failure> {
  const route = find(name, directory, serves, [])
  if (route === undefined) return name === 'auto' ? withoutDefault(directory, allowed) : lost(name, directory, allowed)
  if (route.kind === 'model' || route.rule.serves === serves) return ok(route)
  const message = `"${name}" stands for models that serve ${route.rule.serves}, not ${serves}.`
  return err(failure('unsupported', message, { param: 'model' }))
}

/** `path`: the rules that lead to this name. Inside itself a rule's name means the real model, so that an alias can stand before it. */
function find(
  name: string,
  directory: ModelDirectory,
  serves: Capability,
  path: readonly RouteRule[],
): Route | undefined {
  const { rules } = directory
  const beyond = (rule: RouteRule | undefined): Route | undefined =>
    rule === undefined || path.includes(rule) ? undefined : ruleRoute(name, rule, directory, serves, path)
  return (
    beyond(rules.alias(name)) ??
    beyond(chainBehindPrefix(name, rules)) ??
    ofProvider(name, directory) ??
    beyond(rules.chain(name)) ??
    beyond(rules.wildcard(name)) ??
    byDefault(name, directory, serves, path) ??
    infer(name, directory)
  )
}

function ruleRoute(
  name: string,
  rule: RouteRule,
  directory: ModelDirectory,
  serves: Capability,
  path: readonly RouteRule[],
): RuleRoute {
  let branches: readonly Branch[] | undefined
  const within = [...path, rule]
  return {
    kind: 'rule',
    name,
    rule,
    branches: () => (branches ??= rule.targets.map((target) => branchOf(target, directory, serves, within))),
  }
}

function branchOf(
  target: RuleTarget,
  directory: ModelDirectory,
  serves: Capability,
  path: readonly RouteRule[],
): Branch {
  const nowhere = (why: SkipReason, detail: string): Branch => ({ target, to: null, why, detail })
  if (!target.enabled) return nowhere('disabled', SKIP_MEANINGS.disabled)
  const to = find(target.model, directory, serves, path)
  if (to === undefined) return nowhere(...lostReason(target.model, directory.rules, path))
  if (to.kind === 'model') return { target, to }
  if (path.length >= NESTING_MAX) return nowhere('too_deep', `${pathOf(path)} → ${target.model} is too deep.`)
  if (to.rule.strategy === 'ensemble') return nowhere('ensemble_inside', SKIP_MEANINGS.ensemble_inside)
  if (to.rule.serves !== serves) return nowhere('other_capability', SKIP_MEANINGS.other_capability)
  return { target, to }
}

/** Why a target leads nowhere: back to a rule that it came from, or to nothing at all. */
function lostReason(model: string, rules: RuleBook, path: readonly RouteRule[]): readonly [SkipReason, string] {
  const again = [rules.alias(model), chainBehindPrefix(model, rules), rules.chain(model), rules.wildcard(model)]
  const isCycle = again.some((rule) => rule !== undefined && path.includes(rule))
  if (isCycle) return ['cycle', `There is a cycle via ${pathOf(path)} → ${model}.`]
  return ['unknown_target', `There is no model "${model}" here.`]
}

function pathOf(path: readonly RouteRule[]): string {
  return path.map(({ name }) => name).join(' → ')
}

function chainBehindPrefix(name: string, rules: RuleBook): RouteRule | undefined {
  return name.startsWith(CHAIN_PREFIX) ? rules.chain(name.slice(CHAIN_PREFIX.length)) : undefined
}

function ofProvider(name: string, directory: ModelDirectory): ModelRoute | undefined {
  const slash = name.indexOf('/')
  const provider = slash > 0 ? directory.provider(name.slice(0, slash)) : undefined
  if (provider === undefined || slash + 1 >= name.length) return undefined
  return { kind: 'model', name, step: { provider, model: name.slice(slash + 1) } }
}

/** The default model is no default of itself. */
function byDefault(
  name: string,
  directory: ModelDirectory,
  serves: Capability,
  path: readonly RouteRule[],
): Route | undefined {
  const { defaultModel } = directory
  if (name !== 'auto' || defaultModel === null || defaultModel === 'auto') return undefined
  return find(defaultModel, directory, serves, path)
}

function infer(name: string, directory: ModelDirectory): ModelRoute | undefined {
  if (!directory.inferProvider) return undefined
  const listing = directory.connected().filter(({ models }) => models.includes(name))
  const chosen =
    listing.find(({ provider }) => provider.kind === 'open-api' && provider.hostsOthers !== true) ?? listing[0]
  return chosen && { kind: 'model', name, step: { provider: chosen.provider, model: name } }
}

type Unknown = { readonly ok: false; readonly error: Failure }

function withoutDefault(directory: ModelDirectory, allowed: (name: string) => boolean): Unknown {
  const { defaultModel } = directory
  if (defaultModel !== null && defaultModel !== 'auto') return unknown(defaultModel, directory, allowed)
  const message = 'No default model is set, so "auto" means nothing here.'
  return err(failure('unknown_model', message, { param: 'model' }))
}

function lost(name: string, directory: ModelDirectory, allowed: (name: string) => boolean): Unknown {
  const { retires } = directory.retired?.alias(name) ?? directory.retired?.wildcard(name) ?? {}
  if (retires === undefined || !allowed(name)) return unknown(name, directory, allowed)
  const since = new Date(retires.atMs).toISOString().slice(0, 10)
  const instead = retires.replacedBy === null ? '' : ` Ask for "${retires.replacedBy}" instead.`
  const message = `The name "${name.slice(0, 200)}" means nothing here since ${since}.${instead}`
  return err(failure('unknown_model', message, { param: 'model' }))
}

function unknown(name: string, directory: ModelDirectory, allowed: (name: string) => boolean): Unknown {
  const names = [...namesOfRules(directory.rules), ...offered(directory)]
  const near = nearest(name, names.filter(allowed))
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((other) => `"${other}"`).join(', ')}?`
  return err(failure('unknown_model', `There is no model "${name.slice(0, 200)}" here.${hint}`, { param: 'model' }))
}

/** What clients can write to reach a rule. */
function namesOfRules({ all }: RuleBook): readonly string[] {
  return all.filter(({ enabled, name }) => enabled && !name.endsWith('*')).map(({ name }) => name)
}

/** Every name that the directory lists, in the form `<provider>/<model>`. */
export function offered(directory: ModelDirectory): readonly string[] {
  return directory.connected().flatMap(({ provider, models }) => models.map((model) => `${provider.id}/${model}`))
}

function nearest(name: string, candidates: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase()
  const farthest = Math.max(3, Math.ceil(name.length / 2))
  return candidates
    .map((candidate) => ({ candidate, far: nearness(wanted, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= farthest)
    .sort((a, b) => a.far - b.far || a.candidate.localeCompare(b.candidate))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ candidate }) => candidate)
}

/** The distance to the whole name or to its part after the provider, whichever is smaller. */
function nearness(wanted: string, candidate: string): number {
  return Math.min(distance(wanted, candidate), distance(wanted, candidate.slice(candidate.indexOf('/') + 1)))
}
