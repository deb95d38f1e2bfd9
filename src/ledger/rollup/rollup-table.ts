/**
 * Sums over finished requests, in `telemetry.sqlite`: what reports are read from, so that none of them ever goes through a million
 * rows. Only `rollup.ts` and what keeps the file small write here. Invariant: a request is in the sums exactly when its row says
 * `counted`, and both change in one transaction.
 *
 * A quarter of an hour is the finest span that every calendar in use divides into (Kathmandu is 5:45 ahead): days and hours of any
 * zone are whole numbers of quarters. Quarters that are over are added to stretches of two hours and to days (UTC), days to octaves,
 * so that a range of any length is read from a few dozen spans.
 */
import { sql } from 'drizzle-orm'
import { type AnySQLiteColumn, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { STEP_SPREADS, STEP_SUMS } from './rollup-steps.ts'
import { SPREADS, SUMS } from './tally.ts'

function columnsOf(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, integer(name).notNull().default(0)]))
}

function spreadColumns(spreads: object) {
  return Object.fromEntries(Object.keys(spreads).map((name) => [name, text(name).notNull().default('')]))
}

function spanColumns() {
  return {
    /** One of those in `rollup-span.ts`, in milliseconds. */
    spanMs: integer('span_ms').notNull(),
    /** Where the span begins. */
    atMs: integer('at_ms').notNull(),
    /** Of a quarter: whether its day has it already. Of a day: whether its octave has. */
    folded: integer('folded', { mode: 'boolean' }).notNull().default(false),
    /** Whether all larger spans have it; what earlier versions folded is in no stretch yet. */
    settled: integer('settled', { mode: 'boolean' }).notNull().default(false),
  }
}

/** For finding what larger spans do not have yet. */
function unsettledOf(name: string, { spanMs, folded, atMs }: Record<'spanMs' | 'folded' | 'atMs', AnySQLiteColumn>) {
  return index(`${name}_unsettled`)
    .on(spanMs, folded, atMs)
    .where(sql`settled = 0`)
}

/** The course of time, in pieces of five minutes. */
export const rollupCourse = sqliteTable('rollup_course', {
  atMs: integer('at_ms').primaryKey(),
  ...columnsOf(Object.keys(SUMS)),
})

/** By one thing at a time: a model, a key, a client. */
export const rollupParts = sqliteTable(
  'rollup_parts',
  {
    kind: text('kind').notNull(),
    ...spanColumns(),
    name: text('name').notNull(),
    ...columnsOf(Object.keys(SUMS)),
    ...spreadColumns(SPREADS),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.spanMs, table.atMs, table.name] }),
    unsettledOf('rollup_parts', table),
  ],
)

/** By what reports can be narrowed to, all at once. An empty word stands for none. */
export const rollupCrosses = sqliteTable(
  'rollup_crosses',
  {
    ...spanColumns(),
    keyId: text('key_id').notNull(),
    planId: text('plan_id').notNull(),
    chainId: text('chain_id').notNull(),
    provider: text('provider').notNull(),
    model: text('model').notNull(),
    /** A kind of failure. */
    failure: text('failure').notNull(),
    ...columnsOf(Object.keys(SUMS)),
    ...spreadColumns(SPREADS),
  },
  (table) => [
    primaryKey({
      columns: [
        table.spanMs,
        table.atMs,
        table.keyId,
        table.planId,
        table.chainId,
        table.provider,
        table.model,
        table.failure,
      ],
    }),
    unsettledOf('rollup_crosses', table),
  ],
)

/** By the step of a chain that led to attempts, and what became of them. Reports of a chain are short, so quarters are enough. */
export const rollupSteps = sqliteTable(
  'rollup_steps',
  {
    /** Where the quarter of an hour begins in which the request came. */
    atMs: integer('at_ms').notNull(),
    chainId: text('chain_id').notNull(),
    stepId: text('step_id').notNull(),
    /** A kind of failure; empty for answers. */
    failure: text('failure').notNull(),
    ...columnsOf(STEP_SUMS),
    ...spreadColumns(STEP_SPREADS),
  },
  (table) => [primaryKey({ columns: [table.atMs, table.chainId, table.stepId, table.failure] })],
)
