/**
 * What rules have counted, in `telemetry.sqlite`. Only `ledger/` writes here, in the transactions that close the attempts that
 * count, so that a counter is always the sum of the closed attempts that name it and of what was before; it survives their pruning.
 */
import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const spendCounters = sqliteTable(
  'spend_counters',
  {
    /** The name of the rule in `spend_rules`; behind a dot the key, where each has a counter of its own. */
    name: text('name').notNull(),
    /** Where the period begins. */
    startMs: integer('start_ms').notNull(),
    countsUntilMs: integer('counts_until_ms').notNull(),
    costNano: integer('cost_nano').notNull().default(0),
    tokens: integer('tokens').notNull().default(0),
    requests: integer('requests').notNull().default(0),
    /** The highest threshold that was told of in the period, and when. */
    crossed: real('crossed'),
    crossedAtMs: integer('crossed_at_ms'),
  },
  (table) => [primaryKey({ columns: [table.name, table.startMs] })],
)

/** The rules that are counted, each under a name that is never used again once it counts something else. */
export const spendRules = sqliteTable('spend_rules', {
  ruleId: text('rule_id').primaryKey(),
  source: text('source').notNull(),
  /** What it counts: see `active-rule.ts`. */
  shape: text('shape').notNull(),
  name: text('name').notNull(),
  /** Whether its counters have what was spent before it began. */
  filled: integer('filled', { mode: 'boolean' }).notNull(),
})

/** One row: the highest wall clock by which anything was counted. */
export const spendClock = sqliteTable('spend_clock', {
  id: integer('id').primaryKey(),
  highestMs: integer('highest_ms').notNull(),
})
