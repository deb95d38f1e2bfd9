/**
 * Rules of choice: from the name that a client asked for to the targets that may answer, best first. Everything here is pure;
 * what changes (accounts, settings, time) is handed in, so that the same rules can explain a choice without making it.
 */
import { distance } from 'fastest-levenshtein'
import type { ProviderSpec } from '../catalog/provider.ts'
import { failure, type Failure } from '../core/failure.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Step } from './route.ts'

/** What names can mean right now. */
export interface ModelDirectory {
  provider(id: string): ProviderSpec | undefined
  /** Connected providers with the models that they list, the preferred provider first. */
  connected(): readonly ListedProvider[]
  readonly defaultModel: string | null
  readonly inferProvider: boolean
}

export interface ListedProvider {
  readonly provider: ProviderSpec
  readonly models: readonly string[]
}

const SUGGESTIONS_MAX = 3

/**
 * The step that `name` means. A name with a known provider before its first slash is passed on whether or not a catalogue lists
 * it; `auto` is the default model; a bare name is looked for in the connected providers, its own maker's first.
 * Failure: `unknown_model`, with up to three near names out of `allowed`.
 */
export function resolveModel(
  name: string,
  directory: ModelDirectory,
  allowed: (name: string) => boolean,
): Result<Step, Failure> {
  if (name === 'auto') return resolveDefault(directory, allowed)
  return find(name, directory) ?? unknown(name, directory, allowed)
}

function resolveDefault(directory: ModelDirectory, allowed: (name: string) => boolean): Result<Step, Failure> {
  const { defaultModel } = directory
  if (defaultModel === null || defaultModel === 'auto')
    return err(failure('unknown_model', 'No default model is set, so "auto" means nothing here.', { param: 'model' }))
  return find(defaultModel, directory) ?? unknown(defaultModel, directory, allowed)
}

function find(name: string, directory: ModelDirectory): Result<Step, Failure> | undefined {
  const slash = name.indexOf('/')
  const provider = slash > 0 ? directory.provider(name.slice(0, slash)) : undefined
  if (provider !== undefined && slash + 1 < name.length) return ok({ provider, model: name.slice(slash + 1) })
  return directory.inferProvider ? infer(name, directory) : undefined
}

function infer(name: string, directory: ModelDirectory): Result<Step, Failure> | undefined {
  const listing = directory.connected().filter(({ models }) => models.includes(name))
  const chosen =
    listing.find(({ provider }) => provider.kind === 'open-api' && provider.hostsOthers !== true) ?? listing[0]
  return chosen && ok({ provider: chosen.provider, model: name })
}

function unknown(
  name: string,
  directory: ModelDirectory,
  allowed: (name: string) => boolean,
): { readonly ok: false; readonly error: Failure } {
  const near = nearest(name, offered(directory).filter(allowed))
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((other) => `"${other}"`).join(', ')}?`
  return err(failure('unknown_model', `There is no model "${name.slice(0, 200)}" here.${hint}`, { param: 'model' }))
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
