/**
 * Spending as it happens. Whoever is about to spend reserves what it may come to with all rules that count it, at once or not at
 * all, and settles with what it came to. Rules are handed in; where they come from is nobody's business here. In memory behind an
 * awaited interface; what is settled reaches the disk with the row of the attempt, and `SpendRecords` brings it back.
 * Invariant: a counter is the sum of the attempts that name it: what they cost, and what those under way have reserved.
 */
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { ActiveRule, countsUnpriced, shapeOf } from './active-rule.ts'
import type { Counter } from './counter.ts'
import { OpenReservation } from './open-reservation.ts'
import { isWithin, RuleIndex } from './rule-index.ts'
import { cellsOfPast, refOf, restore } from './spend-fill.ts'
import { refusalOf, shareOf } from './spend-judge.ts'
import type { SpendRecords } from './spend-records.ts'
import { crossingOf, statusOf, tellCrossing } from './spend-status.ts'
import type {
  Amounts,
  Quote,
  Reservation,
  SpendBook,
  Spender,
  SpendRefusal,
  SpendRequest,
  SpendRule,
  SpendSource,
  SpendStatus,
  Warning,
} from './spending.ts'
import type { WallClock } from './wall-clock.ts'
import { Windows } from './windows.ts'

interface Deps {
  readonly wall: WallClock
  readonly clock: Pick<Clock, 'after'>
  readonly random: Random
  readonly log: Log
  readonly records: SpendRecords
  /** Something may fit again that counts for the rule. */
  readonly freed: (ruleId: string) => void
}

/** Every row that counts has the names of its counters: short ones, of so many random bytes. */
const NAME_BYTES = 9
/** How long to wait before the past is asked for once more, when it could not be read. */
const FILL_AGAIN_MS = 1_000

export class Purse implements SpendBook {
  readonly #deps: Deps
  readonly #windows = new Windows()
  readonly #sources = new Map<SpendSource, ReadonlyMap<string, ActiveRule>>()
  readonly #open = new Set<OpenReservation>()
  /** Of rules to which the past is being added: when it is. */
  readonly #filling = new Map<ActiveRule, Promise<void>>()
  #index = new RuleIndex<ActiveRule>([])
  #hasStrict = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Failure: the first rule that does not let it be spent, those first that do not for good. */
  async reserve(request: SpendRequest): Promise<Result<Reservation, SpendRefusal>> {
    const rules = this.#index.matching(request.spender)
    const unready = this.#filling.size === 0 ? [] : this.#unready(request.spender, rules)
    if (unready.length === 0) return this.#reserve(request, rules)
    await Promise.all(unready)
    return this.#reserve(request, this.#index.matching(request.spender))
  }

  #unready(spender: Spender, rules: readonly ActiveRule[]): readonly Promise<void>[] {
    return rules.flatMap((active) => (refuses(active, spender) ? (this.#filling.get(active) ?? []) : []))
  }

  /** Does a rule count on it that the spender's answers are no longer than is reserved for them? */
  isStrict(spender: Spender): boolean {
    return this.#hasStrict && this.#index.matching(spender).some(({ rule }) => rule.reserve === 'strict')
  }

  replaceRules(source: SpendSource, rules: readonly SpendRule[]): void {
    const { records, freed } = this.#deps
    const before = this.#sources.get(source)
    const after = new Map(rules.map((rule) => [rule.id, this.#activated(rule, before?.get(rule.id))]))
    for (const [id, known] of records.knownRules()) if (known.source === source && !after.has(id)) records.forget(id)
    this.#sources.set(source, after)
    const all = [...this.#sources.values()].flatMap((ofSource) => [...ofSource.values()])
    this.#index = new RuleIndex(all)
    this.#hasStrict = all.some(({ rule }) => rule.reserve === 'strict')
    const fresh = [...after.values()].filter((active) => !active.isFilled && !this.#filling.has(active))
    for (const active of fresh) {
      records.begin(active.rule.id, { source, shape: active.shape, name: active.name, isFilled: false })
      this.#countWhatIsUnderWay(active)
      this.#filling.set(active, this.#fill(active))
    }
    for (const id of new Set([...(before?.keys() ?? []), ...after.keys()])) freed(id)
  }

  statusOf(ruleId: string): readonly SpendStatus[] {
    const active = this.#find(ruleId)
    if (active === undefined) return []
    const counters = active.rule.each ? [...active.counters] : [active.counterOf(NOBODY)]
    const nowMs = this.#deps.wall.nowMs()
    return counters.map((counter) => statusOf(active, counter, nowMs, this.#windows))
  }

  leftPct(spender: Pick<Spender, 'keyId' | 'planId' | 'tags'>): number | null {
    const shares = this.#index
      .matchingKey(spender)
      .flatMap((active) => (blocks(active, spender) ? this.#spentShare(active, spender) : []))
    return shares.length === 0 ? null : 100 * Math.max(0, 1 - Math.max(...shares))
  }

  /** Is nothing left of a rule that has one counter? Then asking would be in vain. */
  isSpent(ruleId: string): boolean {
    const active = this.#find(ruleId)
    return active !== undefined && this.#spentShare(active, NOBODY) >= 1
  }

  /** All matching rules at once, or none. */
  #reserve(request: SpendRequest, rules: readonly ActiveRule[]): Result<Reservation, SpendRefusal> {
    const nowMs = this.#deps.wall.nowMs()
    if (rules.length === 0 && !request.isMeasured) return ok(this.#hold(request, rules, NO_QUOTE, nowMs))
    const quote = request.quote(rules.some(({ rule }) => rule.reserve === 'strict') ? 'strict' : 'expected')
    const counting = quote.isUnpriced ? rules.filter(({ rule }) => countsUnpriced(rule)) : rules
    const refusal = this.#refusal(request, counting, quote, nowMs)
    return refusal === undefined ? ok(this.#hold(request, counting, quote, nowMs)) : err(refusal)
  }

  #refusal(
    { spender, waives }: SpendRequest,
    rules: readonly ActiveRule[],
    quote: Quote,
    nowMs: number,
  ): SpendRefusal | undefined {
    const wish = { amounts: amountsOf(quote), keyId: spender.keyId, isWithoutPrice: quote.costNano === null, nowMs }
    const refusals = rules.flatMap((active) => {
      if (!refuses(active, spender) || active.rule.action === waives) return []
      if (!active.isFilled) return uncounted(active)
      return refusalOf(active.rule, active.counterOf(spender), wish, this.#windows) ?? []
    })
    return refusals.find(({ why }) => LASTING.has(why)) ?? refusals[0]
  }

  #hold(request: SpendRequest, rules: readonly ActiveRule[], quote: Quote, atMs: number): Reservation {
    const open = new OpenReservation(request, quote, atMs, (spent) => this.#settle(open, spent))
    this.#open.add(open)
    for (const active of rules) this.#count(open, active)
    open.warnings = rules.flatMap((active) => this.#warningsOf(active, request.spender))
    return open
  }

  #count(open: OpenReservation, active: ActiveRule): void {
    const { rule } = active
    const period = this.#windows.at(rule.window, open.atMs)
    const counter = active.counterOf(open.spender)
    counter.reserve(period, open.amounts, throttledKey(rule, open.spender))
    open.counts.push({ active, counter, period })
    open.counters.push(refOf(counter, period))
    open.isBlocking ||= rule.action === 'block'
    open.isStrict ||= rule.reserve === 'strict'
  }

  #settle(open: OpenReservation, spent: Amounts): void {
    if (!this.#open.delete(open)) return
    for (const { active, counter, period } of open.counts) {
      counter.settle(period, open.amounts, spent, throttledKey(active.rule, open.spender))
      this.#tellCrossing(active, counter)
    }
    for (const { active } of open.counts) this.#deps.freed(active.rule.id)
  }

  #tellCrossing(active: ActiveRule, counter: Counter): void {
    if (isExempt(active.rule, counter)) return
    const nowMs = this.#deps.wall.nowMs()
    const crossing = crossingOf(active, counter, nowMs, this.#windows)
    if (crossing === undefined) return
    counter.crossed = crossing
    const period = this.#windows.at(active.rule.window, nowMs)
    this.#deps.records.crossed(refOf(counter, period), crossing)
    tellCrossing(this.#deps.log, active, counter, crossing)
  }

  #warningsOf(active: ActiveRule, spender: Spender): readonly Warning[] {
    const { action, name, thresholds } = active.rule
    if (action !== 'warn') return []
    const share = this.#spentShare(active, spender)
    return share >= (thresholds[0] ?? 1) ? [{ name, share }] : []
  }

  #spentShare(active: ActiveRule, spender: Pick<Spender, 'keyId'>): number {
    const nowMs = this.#deps.wall.nowMs()
    return shareOf(active.rule, active.counterOf(spender).standing(nowMs).spent, nowMs)
  }

  #find(ruleId: string): ActiveRule | undefined {
    for (const rules of this.#sources.values()) {
      const active = rules.get(ruleId)
      if (active !== undefined) return active
    }
    return undefined
  }

  /** The rule with its counters: those it had if it still counts the same, here or in the last process. */
  #activated(rule: SpendRule, before: ActiveRule | undefined): ActiveRule {
    const shape = shapeOf(rule)
    if (before?.shape === shape) {
      before.rule = rule
      return before
    }
    const known = before === undefined ? this.#deps.records.knownRules().get(rule.id) : undefined
    const goesOn = known?.shape === shape && known.isFilled
    const active = new ActiveRule(rule, goesOn ? known.name : this.#newName(), goesOn)
    if (goesOn) restore(active, this.#deps.records.cellsOf(known.name))
    return active
  }

  /** Never one that was given before, so that what counted under an earlier name is not taken for counted. */
  #newName(): string {
    return Buffer.from(this.#deps.random.bytes(NAME_BYTES)).toString('base64url')
  }

  /**
   * The moment from which a rule counts is this call: attempts that are under way count from here on, and so does whatever begins
   * later. What is not among them was over before and is added by `#fill`, which leaves out what names the rule.
   */
  #countWhatIsUnderWay(active: ActiveRule): void {
    const changed = new Set<OpenReservation>()
    for (const open of this.#open) {
      if (!isWithin(active.scope, open.spender)) continue
      open.price()
      if (open.isUnpriced && !countsUnpriced(active.rule)) continue
      this.#count(open, active)
      changed.add(open)
    }
    if (changed.size > 0) this.#deps.records.recount(changed)
  }

  async #fill(active: ActiveRule): Promise<void> {
    const { records, wall } = this.#deps
    const sinceMs = this.#windows.sinceMs(active.rule.window, wall.nowMs())
    const past = await records.before(active.rule, active.name, sinceMs)
    this.#filling.delete(active)
    if (this.#find(active.rule.id) !== active) return
    if (!past.ok) return this.#fillLater(active, past.error)
    const cells = cellsOfPast(active, past.value, this.#windows)
    restore(active, cells)
    active.isFilled = true
    records.filled(active.rule.id, cells)
    for (const counter of active.counters) this.#tellCrossing(active, counter)
    this.#deps.freed(active.rule.id)
  }

  #fillLater(active: ActiveRule, reason: string): void {
    const { clock, log } = this.#deps
    log.write('error', 'budget', 'what was spent before a budget began cannot be read', { id: active.rule.id, reason })
    clock.after(FILL_AGAIN_MS, () => {
      if (this.#find(active.rule.id) === active) this.#filling.set(active, this.#fill(active))
    })
  }
}

const NOBODY = { keyId: null }
const NO_QUOTE: Quote = { costNano: 0, isUnpriced: false, inputTokens: 0, outputTokens: 0 }
/** Waiting does not help, but for the end of the period. */
const LASTING: ReadonlySet<SpendRefusal['why']> = new Set(['spent', 'too_small', 'unpriced'])

type KeyOf = Pick<Spender, 'keyId'>

function refuses({ rule }: ActiveRule, spender: KeyOf): boolean {
  return rule.action !== 'warn' && !isExempt(rule, spender)
}

function blocks({ rule }: ActiveRule, spender: KeyOf): boolean {
  return rule.action === 'block' && !isExempt(rule, spender)
}

function isExempt({ exempt }: SpendRule, { keyId }: KeyOf): boolean {
  return keyId !== null && exempt?.has(keyId) === true
}

function uncounted({ rule }: ActiveRule): SpendRefusal {
  return { rule, why: 'uncounted', resetsAtMs: null, inFlight: 0 }
}

function amountsOf({ costNano, inputTokens, outputTokens }: Quote): Amounts {
  return { costNano: costNano ?? 0, tokens: inputTokens + outputTokens, requests: 1 }
}

/** Whose requests under way have to be counted one by one. */
function throttledKey({ action }: SpendRule, { keyId }: Spender): string | null {
  return action === 'throttle' ? keyId : null
}
