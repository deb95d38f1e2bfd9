import type { Clock } from '../../core/clock.ts'
import { DAY_MS } from '../../core/duration.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { invalid, refusal, type Refusal } from '../../http/refusal.ts'
import { Purse } from '../../ledger/spending/purse.ts'
import type { SpendRecords } from '../../ledger/spending/spend-records.ts'
import type { SpendRule } from '../../ledger/spending/spending.ts'
import { WallClock } from '../../ledger/spending/wall-clock.ts'
import { Windows } from '../../ledger/spending/windows.ts'
import { spendRulesOf } from '../keys/spend-rules.ts'
import type { Plan } from '../plans/plan.ts'
import { defaultRules, readRules } from '../plans/rules.ts'
import { rangeOf, type TimeRange } from '../usage/range.ts'
import type { Cursor, UsageStore } from '../usage/store.ts'
import type { LoggedRequest } from '../usage/usage.ts'
import { ruleOf } from './budget.ts'
import { PastClock } from './past-clock.ts'
import { type PastLimits, Replay } from './replay.ts'
import type { BudgetService } from './service.ts'
import type { SimulateDraft } from './simulate-schema.ts'
import { type Example, type RuleTally, Tally } from './tally.ts'

export interface Simulation extends TimeRange {
  readonly requests: number
  readonly wouldBlock: number
  readonly wouldDowngrade: number
  readonly byRule: readonly RuleTally[]
  readonly examples: readonly Example[]
  /** Their costs count as nothing. */
  readonly costUnknown: number
  readonly isTruncated: boolean
}

interface Deps {
  readonly budgets: Pick<BudgetService, 'described'>
  readonly log: Pick<UsageStore, 'rows'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly random: Random
  readonly isKey: (id: string) => boolean
  readonly isPlan: (id: string) => boolean
  /** The limits of keys as they are kept live, on another clock. */
  readonly limitsOn: (clock: Clock) => PastLimits
}

/** What is tried: the rules that spending is held to, and what each key may use. */
interface Trial {
  readonly rules: readonly SpendRule[]
  readonly plan: Plan | null
}

/** Rows that one simulation reads, and that are looked at in one go: a few milliseconds of the event loop. */
const ROWS_MAX = 100_000
const ROWS_AT_ONCE = 100
/** Before the range, counters begin where their period does, but not earlier than this. */
const WARM_UP_MS_MAX = 92 * DAY_MS
/** What has no name yet is called so in what is told of it. */
const NAMELESS = 'simulated'
const NEW_PLAN = { id: NAMELESS, createdAtMs: 0, updatedAtMs: 0, version: 0 }

/** Tries limits and budgets on the requests of the past. Nothing is saved, sent or counted. */
export class SpendSimulator {
  readonly #deps: Deps
  #isRunning = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Refusals: `invalid`; `throttled` while another one runs; `unavailable` when the log cannot be read. */
  async simulate(draft: SimulateDraft): Promise<Result<Simulation, Refusal>> {
    const problem = this.#problemOf(draft)
    if (problem !== undefined) return err(problem)
    const trial = draft.plan === undefined ? this.#budgetTrial(draft) : planTrial(draft.plan)
    if (!trial.ok) return trial
    if (this.#isRunning) return err(refusal('throttled', 'another simulation is running; wait for it'))
    this.#isRunning = true
    try {
      return await this.#replay(trial.value, draft)
    } finally {
      this.#isRunning = false
    }
  }

  #problemOf({ plan, budget, key_id, plan_id }: SimulateDraft): Refusal | undefined {
    if ((plan === undefined) === (budget === undefined))
      return invalid({ plan: ['or budget must be there, and not both'] })
    if (key_id !== undefined && plan_id !== undefined) return invalid({ plan_id: ['and key_id cannot both be there'] })
    if (key_id !== undefined && !this.#deps.isKey(key_id)) return invalid({ key_id: ['is not the id of a key'] })
    if (plan_id !== undefined && !this.#deps.isPlan(plan_id)) return invalid({ plan_id: ['is not the id of a plan'] })
    return undefined
  }

  #budgetTrial({ budget: draft }: SimulateDraft): Result<Trial, Refusal> {
    if (draft === undefined) return err(invalid({ budget: ['is needed'] }))
    const budget = this.#deps.budgets.described({ ...draft, name: draft.name ?? NAMELESS })
    return budget.ok ? ok({ rules: [ruleOf(budget.value)], plan: null }) : err(under(budget.error, 'budget'))
  }

  async #replay(trial: Trial, draft: SimulateDraft): Promise<Result<Simulation, Refusal>> {
    const range = rangeOf(draft.range, this.#deps.clock.nowMs())
    const fromMs = beginOf(trial, range.fromMs)
    const replay = this.#replayOf(trial, fromMs)
    const tally = new Tally()
    const filters = { keyId: draft.key_id, planId: draft.plan_id }
    let [read, after]: [number, Cursor | undefined] = [0, undefined]
    for (;;) {
      const page = { order: 'asc', offset: 0, limit: ROWS_AT_ONCE, after } as const
      const rows = await this.#deps.log.rows(filters, { fromMs, toMs: range.toMs }, page)
      if (!rows.ok) return rows
      for (const row of rows.value.filter(wasAdmitted)) {
        const verdict = await replay.next(row)
        if (row.atMs >= range.fromMs) tally.add(row, verdict)
      }
      read += rows.value.length
      const last = rows.value.at(-1)
      if (last === undefined || rows.value.length < ROWS_AT_ONCE) return ok(resultOf(tally, range, null))
      if (read >= ROWS_MAX) return ok(resultOf(tally, range, last.atMs))
      after = { atMs: last.atMs, id: last.id }
    }
  }

  #replayOf({ rules, plan }: Trial, fromMs: number): Replay {
    const clock = new PastClock(fromMs)
    const wall = new WallClock({ clock, log: QUIET }, 0)
    const { random } = this.#deps
    const purse = new Purse({ wall, clock, random, log: QUIET, records: NO_RECORDS, freed: () => undefined })
    purse.replaceRules('budgets', rules)
    return new Replay({ clock, purse, keyRules: plan && { plan, enforced: this.#deps.limitsOn(clock) } })
  }
}

/** A plan, as it would hold for every key. */
function planTrial(draft: NonNullable<SimulateDraft['plan']>): Result<Trial, Refusal> {
  const rules = readRules(draft, defaultRules(NAMELESS))
  if (!rules.ok) return err(under(invalid(rules.error), 'plan'))
  const plan: Plan = { ...NEW_PLAN, ...rules.value }
  return ok({ rules: spendRulesOf([plan], []).ofPlans, plan })
}

/** Counters that began before the range are brought to where they stood, as far as that is not too long ago. */
function beginOf({ rules, plan }: Trial, fromMs: number): number {
  const windows = new Windows()
  const begins = rules.map(({ window }) => windows.sinceMs(window, fromMs))
  const day = plan && { kind: 'calendar' as const, unit: 'day' as const, timezone: plan.limits.timezone, anchorDay: 1 }
  const all = day === null ? begins : [...begins, windows.at(day, fromMs).startMs]
  return Math.max(fromMs - WARM_UP_MS_MAX, Math.min(fromMs, ...all))
}

/** What was refused then took no place and spent nothing; whether it would be refused again cannot be told. */
function wasAdmitted({ status }: LoggedRequest): boolean {
  return status !== 'blocked' && status !== 'open'
}

function resultOf(tally: Tally, { fromMs, toMs }: TimeRange, cutAtMs: number | null): Simulation {
  const { requests, byRule, examples, costUnknown } = tally
  return {
    requests,
    wouldBlock: tally.countOf('block'),
    wouldDowngrade: tally.countOf('downgrade'),
    byRule,
    examples,
    costUnknown,
    fromMs,
    toMs: cutAtMs ?? toMs,
    isTruncated: cutAtMs !== null,
  }
}

function under(refused: Refusal, field: string): Refusal {
  const errors = Object.entries(refused.errors ?? {}).map(([path, messages]) => [`${field}.${path}`, messages] as const)
  return errors.length === 0 ? refused : invalid(Object.fromEntries(errors))
}

const QUIET: Log = { write: () => undefined }
/** The past of a replay is the log that it goes through. */
const NO_RECORDS: SpendRecords = {
  knownRules: () => new Map(),
  cellsOf: () => [],
  begin: () => undefined,
  forget: () => undefined,
  recount: () => undefined,
  crossed: () => undefined,
  before: async () => ok([]),
  filled: () => undefined,
}
