import { assert } from '../../core/assert.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import { Snapshot } from '../../core/snapshot.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { staleness } from '../../http/if-match.ts'
import { invalid, refusal, type Refusal } from '../../http/refusal.ts'
import type { RouteRule } from '../../routing/rule.ts'
import type { Audit } from '../audit/service.ts'
import type { Acting } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import { NameTable, type Surroundings } from '../chains/judge.ts'
import { type Alias, ruleOf } from './alias.ts'
import { readRules } from './rules.ts'
import { type AliasDraft, ALIASES_MAX, rulesToWire } from './schema.ts'
import type { AliasChange, AliasStore } from './store.ts'

export interface AliasDeps extends Surroundings {
  readonly store: AliasStore
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  /** Every rule that is no alias, as it is stored now: asked within a transaction. */
  readonly otherRules: () => readonly RouteRule[]
  /** Who has which default model. */
  readonly defaultModels: () => readonly { readonly owner: string; readonly model: string }[]
}

interface Loaded {
  readonly aliases: readonly Alias[]
  readonly rules: readonly RouteRule[]
}

/** What operators do with aliases. A change counts from the next request on; every act is audited. */
export class AliasService {
  readonly #deps: AliasDeps
  readonly #loaded = new Snapshot<Loaded>({ aliases: [], rules: [] })

  constructor(deps: AliasDeps) {
    this.#deps = deps
  }

  /** Reads what is stored: before requests are served, and after each write. */
  async reload(): Promise<void> {
    const aliases = await this.#deps.store.all()
    this.#loaded.replace({ aliases, rules: aliases.map(ruleOf) })
  }

  /** In creation order, those that have expired included. */
  all(): readonly Alias[] {
    return this.#loaded.current.aliases
  }

  /** For routing, in creation order; another array as soon as one has changed. */
  rules(): readonly RouteRule[] {
    return this.#loaded.current.rules
  }

  /** What their owner should know although they were saved. */
  warnings(aliases: readonly Alias[]): readonly string[] {
    const names = this.#names(this.all())
    return aliases.flatMap((alias) => names.warnings(ruleOf(alias), 'targets'))
  }

  /** Makes an alias, or replaces the one of that name. Refusals: `stale`, `invalid`, `conflict`. */
  async put(draft: AliasDraft, version: number | null, caller: Acting): Promise<Result<Alias, Refusal>> {
    const written = await this.#write(caller, (all) => {
      const before = all.find(({ alias }) => alias === draft.alias)
      const stale = staleness(before?.version ?? 0, version)
      if (stale !== undefined) return err(stale)
      const rest = all.filter((alias) => alias !== before)
      const after = this.#drafted(draft, before, this.#names(rest))
      if (!after.ok) return err(invalid(after.error))
      if (rest.length >= ALIASES_MAX) return err(TOO_MANY)
      return this.#judged([{ before, after: after.value }], [...rest, after.value], () => '')
    })
    if (!written.ok) return written
    const [after] = written.value
    assert(after !== undefined, 'what was put is there')
    return ok(after)
  }

  /** Makes these, and no others, all aliases that there are. Refusals: `invalid` with the place in the list, `conflict`. */
  async replaceAll(drafts: readonly AliasDraft[], caller: Acting): Promise<Result<readonly Alias[], Refusal>> {
    return this.#write(caller, (all) => {
      const changes: AliasChange[] = []
      const errors: Record<string, readonly string[]> = {}
      const names = this.#names(all)
      for (const [at, draft] of drafts.entries()) {
        const before = all.find(({ alias }) => alias === draft.alias)
        const others = before === undefined ? names : this.#names(all.filter((alias) => alias !== before))
        const after = this.#drafted(draft, before, others)
        const isDoubled = drafts.findIndex(({ alias }) => alias === draft.alias) < at
        if (isDoubled) errors[`${at}.alias`] = ['is there already']
        if (after.ok) changes.push({ before, after: after.value })
        else Object.assign(errors, prefixed(after.error, `${at}.`))
      }
      if (Object.keys(errors).length > 0) return err(invalid(errors))
      const final = changes.flatMap(({ after }) => after ?? [])
      const gone = all.filter(({ alias }) => !final.some((one) => one.alias === alias))
      const used = this.#refusalOfRemoval(gone, all)
      if (used !== undefined) return err(used)
      const removals = gone.map((before) => ({ before, after: undefined }))
      return this.#judged([...changes, ...removals], final, (at) => `${at}.`)
    })
  }

  /** Refusals: `missing`; `conflict` while a rule or a default names it. */
  async remove(name: string, caller: Acting): Promise<Result<undefined, Refusal>> {
    const removed = await this.#write(caller, (all) => {
      const before = all.find(({ alias }) => alias === name)
      if (before === undefined) return err(refusal('missing', 'there is no such alias'))
      const used = this.#refusalOfRemoval([before], all)
      return used === undefined ? ok([{ before, after: undefined }]) : err(used)
    })
    return removed.ok ? ok(undefined) : removed
  }

  async #write(
    caller: Acting,
    decide: (all: readonly Alias[]) => Result<readonly AliasChange[], Refusal>,
  ): Promise<Result<readonly Alias[], Refusal>> {
    const written = await this.#deps.store.write(decide)
    if (!written.ok) return written
    await this.reload()
    for (const change of written.value) if (change.after !== change.before) await this.#record(change, caller)
    return ok(written.value.flatMap(({ after }) => after ?? []))
  }

  /** `others`: all rules but the one of that name. */
  #drafted(draft: AliasDraft, before: Alias | undefined, others: NameTable): Result<Alias, FieldErrors> {
    const { clock, random, directory } = this.#deps
    const nowMs = clock.nowMs()
    const rules = readRules(draft, before, directory(), nowMs)
    if (!rules.ok) return rules
    // What the first target serves is what the alias serves; the others have to agree.
    const serves = others.servedBy(rules.value.targets[0]?.model ?? '') ?? 'chat'
    const said = { ...rules.value, serves }
    if (before !== undefined) return ok(revised(before, { ...before, ...said }, nowMs))
    return ok({ ...said, id: newId('ali', random), createdAtMs: nowMs, updatedAtMs: nowMs, version: 1 })
  }

  /** `final`: all aliases that there will be. `prefixOf`: where a changed one stands in the body. */
  #judged(
    changes: readonly AliasChange[],
    final: readonly Alias[],
    prefixOf: (at: number) => string,
  ): Result<readonly AliasChange[], Refusal> {
    const others = this.#deps.otherRules()
    const names = this.#names(final)
    const errors: Record<string, readonly string[]> = {}
    for (const [at, { after }] of changes.entries()) {
      if (after === undefined) continue
      const isChain = others.some(({ kind, name }) => kind === 'chain' && name === after.alias)
      if (isChain) return err(takenByChain(after.alias, `${prefixOf(at)}alias`))
      const problems = names.problems(ruleOf(after), 'targets')
      Object.assign(errors, prefixed(problems, prefixOf(at)))
    }
    return Object.keys(errors).length === 0 ? ok(changes) : err(invalid(errors))
  }

  /** `all`: the aliases that there are, those that go included. */
  #refusalOfRemoval(gone: readonly Alias[], all: readonly Alias[]): Refusal | undefined {
    const goes = new Set(gone.map(({ id }) => id))
    const names = this.#names(all)
    const staying = [...all.filter(({ id }) => !goes.has(id)).map(ruleOf), ...this.#deps.otherRules()]
    const defaults = this.#deps.defaultModels()
    for (const alias of gone) {
      const isIt = (model: string): boolean => names.means(model, ruleOf(alias))
      const rule = staying.find(({ targets }) => targets.some(({ model }) => isIt(model)))
      const owner = defaults.find(({ model }) => isIt(model))?.owner
      const by = rule === undefined ? owner : `the ${rule.kind} ${rule.name}`
      if (by !== undefined) return refusal('conflict', `the alias ${alias.alias} cannot be deleted: ${by} names it`)
    }
    return undefined
  }

  #names(aliases: readonly Alias[]): NameTable {
    return new NameTable([...aliases.map(ruleOf), ...this.#deps.otherRules()], this.#deps)
  }

  async #record(change: AliasChange, caller: Acting): Promise<void> {
    const { before, after } = change
    const { id, alias } = change.after === undefined ? change.before : change.after
    await this.#deps.audit.record({
      ...actedBy(caller),
      action: after === undefined ? 'alias.delete' : 'alias.set',
      object: { type: 'alias', id, name: alias },
      outcome: 'ok',
      ...(before === undefined ? {} : { before: rulesToWire(before) }),
      ...(after === undefined ? {} : { after: rulesToWire(after) }),
    })
  }
}

const TOO_MANY = refusal('conflict', `there may be at most ${ALIASES_MAX} aliases`)

function takenByChain(alias: string, path: string): Refusal {
  return refusal('conflict', `the name ${alias} is that of a chain`, { errors: { [path]: ['is that of a chain'] } })
}

function prefixed(errors: FieldErrors, prefix: string): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([path, messages]) => [`${prefix}${path}`, messages]))
}
