/**
 * Skills: pieces of system prompt that are injected into requests and served as public documents. They hold no secrets.
 * Invariant: `all()` is in creation order and shows a change from the next request on.
 */
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/id.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { revised } from '../../core/revised.ts'
import { Snapshot } from '../../core/snapshot.ts'
import { staleness } from '../../http/if-match.ts'
import type { Page } from '../../http/pagination.ts'
import { invalid, type Refusal } from '../../http/refusal.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import type { SkillPatch } from './schema.ts'
import { type Skill, type SkillDocument, skillProblems } from './skill.ts'
import { noSuchSkill, type SkillSort, type SkillStore } from './store.ts'

interface Deps {
  readonly store: SkillStore
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
  /** Called when a skill is gone, for those who had named it. */
  readonly removed: () => Promise<void>
}

export class SkillService {
  readonly #deps: Deps
  readonly #all = new Snapshot<readonly Skill[]>([])

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Loads the skills; called once before requests are served. */
  async start(): Promise<void> {
    this.#all.replace(await this.#deps.store.all())
  }

  /** Every skill in creation order, without waiting. */
  all(): readonly Skill[] {
    return this.#all.current
  }

  async page(page: Page<SkillSort>): Promise<{ items: readonly Skill[]; total: number }> {
    return this.#deps.store.page(page)
  }

  /** Refusal: `missing`. */
  get(id: string): Result<Skill, Refusal> {
    const skill = this.all().find((candidate) => candidate.id === id)
    return skill === undefined ? err(noSuchSkill()) : ok(skill)
  }

  /** A new skill is switched off. Refusal: `invalid`. */
  async create(document: SkillDocument, caller: Caller): Promise<Result<Skill, Refusal>> {
    const problems = skillProblems(document)
    if (Object.keys(problems).length > 0) return err(invalid(problems))
    const { store, clock, random } = this.#deps
    const nowMs = clock.nowMs()
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs }
    const skill: Skill = { id: newId('skl', random), ...document, enabled: false, ...times, version: 1 }
    await store.insert(skill)
    await this.#changed('skill.create', skill, caller, { after: summaryOf(skill) })
    return ok(skill)
  }

  /** Refusals: `missing`, `stale`, `invalid`. */
  async patch(id: string, patch: SkillPatch, version: number | null, caller: Caller): Promise<Result<Skill, Refusal>> {
    const nowMs = this.#deps.clock.nowMs()
    const changed = await this.#deps.store.change(id, (skill) => {
      const stale = staleness(skill.version, version)
      if (stale !== undefined) return err(stale)
      const next = revised<Skill>(skill, { ...skill, ...patch }, nowMs)
      const problems = skillProblems(next)
      return Object.keys(problems).length > 0 ? err(invalid(problems)) : ok(next)
    })
    if (!changed.ok) return changed
    const { before, after } = changed.value
    if (after === before) return ok(after)
    await this.#changed('skill.change', after, caller, { before: summaryOf(before), after: summaryOf(after) })
    return ok(after)
  }

  /** Keys that named it lose it. Refusals: `missing`, `stale`. */
  async remove(id: string, version: number | null, caller: Caller): Promise<Result<Skill, Refusal>> {
    const removed = await this.#deps.store.remove(id, (skill) => staleness(skill.version, version))
    if (!removed.ok) return removed
    await this.#changed('skill.delete', removed.value, caller, { before: summaryOf(removed.value) })
    await this.#deps.removed()
    return removed
  }

  async #changed(
    action: string,
    skill: Skill,
    caller: Caller,
    values: { before?: unknown; after?: unknown },
  ): Promise<void> {
    await this.start()
    const object = { type: 'skill', id: skill.id, name: skill.name }
    await this.#deps.audit.record({ ...actedBy(caller), action, object, outcome: 'ok', ...values })
  }
}

/** For the audit log: the text itself would only swell it. */
function summaryOf({ name, description, content, enabled }: Skill) {
  return { name, description, content_bytes: Buffer.byteLength(content), enabled }
}
