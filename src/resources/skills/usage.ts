/** Who carries a skill, how often it was sent, and what its text cost. */
import type { Clock } from '../../core/clock.ts'
import { WEEK_MS } from '../../core/duration.ts'
import { nanoFromPico, type NanoUsd, type PicoUsd } from '../../core/money.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Row } from '../../db/query-book.ts'
import type { Reader } from '../../db/reader.ts'
import type { Refusal } from '../../http/refusal.ts'
import { readRows } from '../usage/read-rows.ts'
import type { SkillService } from './service.ts'
import { tokensOf } from './skill.ts'
import type { SkillQuery } from './usage-queries.ts'

export interface Carrier {
  readonly id: string
  readonly name: string
}

export interface SkillUsage {
  /** It is sent with the requests of all keys that do not refuse it. */
  readonly isGlobal: boolean
  /** Those that carry it because they or their plans name it. */
  readonly keys: readonly Carrier[]
  /** Those that name it. */
  readonly plans: readonly Carrier[]
  /** In the last seven days. */
  readonly requests: number
  readonly tokensPerRequest: number
  /** As long as it is now, at today's price of plain input, for all of these requests: what caches saved is not taken off. */
  readonly costNano: NanoUsd
}

interface Deps {
  readonly skills: Pick<SkillService, 'get'>
  readonly reader: Pick<Reader<SkillQuery>, 'query'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly carriersOf: (skillId: string) => Pick<SkillUsage, 'keys' | 'plans'>
  /** Of an input token; undefined where nobody knows it. */
  readonly inputRate: (provider: string, model: string) => PicoUsd | undefined
}

export class SkillUsageService {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Refusals: `missing`; `unavailable` when the log cannot be read. */
  async of(id: string): Promise<Result<SkillUsage, Refusal>> {
    const { skills, reader, clock, carriersOf } = this.#deps
    const skill = skills.get(id)
    if (!skill.ok) return skill
    const asked = { fromMs: clock.nowMs() - WEEK_MS, quotedId: `"${id}"` }
    const rows = await readRows(reader, 'skillModels', asked, 'the log cannot be read right now')
    if (!rows.ok) return rows
    const tokensPerRequest = tokensOf(skill.value)
    return ok({
      ...carriersOf(id),
      isGlobal: skill.value.enabled,
      requests: rows.value.reduce((sum, row) => sum + Number(row['requests']), 0),
      tokensPerRequest,
      costNano: nanoFromPico(rows.value.reduce((sum, row) => sum + tokensPerRequest * this.#paidFor(row), 0)),
    })
  }

  /** A token in each request of the row. */
  #paidFor(row: Row): PicoUsd {
    const rate = this.#deps.inputRate(String(row['provider']), String(row['model']))
    return (rate ?? 0) * Number(row['requests'])
  }
}
