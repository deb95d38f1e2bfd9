/** Aliases of 9router stand for a model each, its combos for several in their order. */
import { type FoundName, type LeftOut, slugOf, TARGETS_MAX } from './found.ts'

/** An alias or a combo as it is there. */
export interface Named {
  readonly name: string
  readonly models: readonly string[]
}

interface Surroundings {
  /** What this program calls what stands before a model. */
  readonly here: ReadonlyMap<string, string>
  /** Providers with an account in the file. */
  readonly usable: ReadonlySet<string>
}

const CHAIN_LENGTH_MAX = 63
const PRIORITY_MAX = 100

/** Those that name others come after them. */
export function namesOf(
  aliases: readonly Named[],
  combos: readonly Named[],
  around: Surroundings,
): { readonly found: readonly FoundName[]; readonly leftOut: readonly LeftOut[] } {
  const own = new Map([
    ...aliases.map(({ name }) => [name, name] as const),
    ...combos.map(({ name }) => [name, `chain/${chainSlug(name)}`] as const),
  ])
  const leftOut: LeftOut[] = []
  const read = (kind: FoundName['kind'], { name, models }: Named): readonly FoundName[] => {
    const known = models.map((model) => modelHere(model, around) ?? (model === name ? undefined : own.get(model)))
    const lost = models.filter((_, at) => known[at] === undefined)
    leftOut.push(...lost.map((model) => ({ what: `${model} in ${name}`, why: 'its provider is not taken over' })))
    const targets = known.flatMap((model) => model ?? []).slice(0, TARGETS_MAX)
    const called = kind === 'chain' ? chainSlug(name) : name
    if (targets.length > 0 && called !== '')
      return [{ kind, name: called, strategy: 'priority', targets: targets.map(targetOf), isListed: true }]
    leftOut.push({
      what: `${kind === 'chain' ? 'the combo' : 'the alias'} ${name}`,
      why: 'nothing is left that it could stand for',
    })
    return []
  }
  const found = [
    ...aliases.flatMap((alias) => read('alias', alias)),
    ...combos.flatMap((combo) => read('chain', combo)),
  ]
  return { found: inOrder(found), leftOut }
}

function chainSlug(name: string): string {
  return slugOf(name, CHAIN_LENGTH_MAX)
}

function targetOf(model: string, priority: number): FoundName['targets'][number] {
  return { model, account: null, weight: 1, priority: Math.min(PRIORITY_MAX, priority) }
}

/** `<prefix>/<model>` as this program writes it; undefined where the provider is not among those that are taken over. */
function modelHere(model: string, { here, usable }: Surroundings): string | undefined {
  const slash = model.indexOf('/')
  const provider = slash < 0 ? undefined : here.get(model.slice(0, slash))
  return provider === undefined || !usable.has(provider) ? undefined : `${provider}/${model.slice(slash + 1)}`
}

/** What names itself in a circle comes last, and is refused where it is made. */
function inOrder(names: readonly FoundName[]): readonly FoundName[] {
  const written = ({ kind, name }: FoundName): string => (kind === 'chain' ? `chain/${name}` : name)
  const waiting = [...names]
  const sorted: FoundName[] = []
  while (waiting.length > 0) {
    const open = new Set(waiting.map(written))
    const at = waiting.findIndex(({ targets }) => !targets.some(({ model }) => open.has(model)))
    sorted.push(...waiting.splice(Math.max(0, at), 1))
  }
  return sorted
}
