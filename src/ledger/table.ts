/**
 * The ledger's tables, in `telemetry.sqlite`: one row per client request, one per attempt at a provider, and what each key has
 * used in all. Rows name keys, accounts and skills of the other database by id, without a foreign key. Only `ledger/` writes here;
 * a request's row and its attempts outlive whatever they name. Lists and maps are JSON text. Times are milliseconds since 1970.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The canonical token record and what it cost; the same in both tables. */
function usageColumns() {
  return {
    inputUncached: integer('input_uncached').notNull().default(0),
    cacheRead: integer('cache_read').notNull().default(0),
    cacheWrite5m: integer('cache_write_5m').notNull().default(0),
    cacheWrite1h: integer('cache_write_1h').notNull().default(0),
    output: integer('output').notNull().default(0),
    reasoning: integer('reasoning').notNull().default(0),
    audioIn: integer('audio_in').notNull().default(0),
    audioOut: integer('audio_out').notNull().default(0),
    imageIn: integer('image_in').notNull().default(0),
    webSearches: integer('web_searches').notNull().default(0),
    serviceTier: text('service_tier'),
    usageEstimated: integer('usage_estimated', { mode: 'boolean' }).notNull().default(false),
    costNano: integer('cost_nano').notNull().default(0),
    /** Null until the row is closed. */
    costSource: text('cost_source'),
  }
}

/** What a request would have cost more, by what it was spared that; negative where it cost more instead. See `savings.ts`. */
function savedColumns() {
  return {
    savedCacheNano: integer('saved_cache_nano').notNull().default(0),
    savedAffinityNano: integer('saved_affinity_nano').notNull().default(0),
    savedRoutingNano: integer('saved_routing_nano').notNull().default(0),
  }
}

export const requests = sqliteTable(
  'requests',
  {
    /** Counted up by the writer, and what attempts refer to; never shown. */
    seq: integer('seq').primaryKey(),
    id: text('id').notNull(),
    atMs: integer('at_ms').notNull(),
    status: text('status').notNull().default('open'),
    keyId: text('key_id'),
    /** The plan that the key was on. */
    planId: text('plan_id'),
    tags: text('tags').notNull(),
    client: text('client'),
    endpoint: text('endpoint').notNull(),
    dialectIn: text('dialect_in'),
    modelAsked: text('model_asked').notNull(),
    stream: integer('stream', { mode: 'boolean' }).notNull(),
    facts: text('facts').notNull(),
    skills: text('skills').notNull(),
    /** Where its client gave it a name: hashes of the name and of what was asked. */
    idempotencyName: text('idempotency_name'),
    requestDigest: text('request_digest'),
    session: text('session'),
    userTag: text('user_tag'),
    traceId: text('trace_id'),
    ipHash: text('ip_hash'),
    errorClass: text('error_class'),
    http: integer('http'),
    provider: text('provider'),
    accountId: text('account_id'),
    modelUsed: text('model_used'),
    /** The first chain on the way, the step of it that was tried last, and the alias that was asked for. */
    chainId: text('chain_id'),
    stepId: text('step_id'),
    alias: text('alias'),
    dialectOut: text('dialect_out'),
    ...usageColumns(),
    msTotal: integer('ms_total'),
    msFirstToken: integer('ms_first_token'),
    /** Microseconds: the gateway's own share is well under a millisecond. */
    gatewayUs: integer('gateway_us'),
    dropped: text('dropped').notNull().default('[]'),
    route: text('route').notNull().default('[]'),
    stopReason: text('stop_reason'),
    ...savedColumns(),
    /** Whether the sums of `rollup-table.ts` have it. */
    counted: integer('counted', { mode: 'boolean' }).notNull().default(false),
  },
  // Each index is paid for by every request, one in random order (by id) with a page of its own: half of all that is written.
  // So ids are in order within each hour alone, whose pages are at hand, and the log's other filters read in the order of time.
  (table) => [
    index('requests_at').on(table.atMs, table.id),
    index('requests_found').on(sql`at_ms / 3600000`, table.id),
    index('requests_key').on(table.keyId, table.atMs),
    index('requests_not_ok')
      .on(table.status, table.atMs)
      .where(sql`status <> 'ok'`),
    // Holds only what came before the sums, and what a crash left.
    index('requests_uncounted')
      .on(table.seq)
      .where(sql`counted = 0 AND status <> 'open'`),
    // Few requests have a name; they are read once, at the start.
    index('requests_named')
      .on(table.atMs)
      .where(sql`idempotency_name is not null`),
  ],
)

export const attempts = sqliteTable(
  'attempts',
  {
    requestSeq: integer('request_seq').notNull(),
    position: integer('position').notNull(),
    id: text('id').notNull(),
    atMs: integer('at_ms').notNull(),
    /** `reserved`: written down before anything is sent, where a budget refuses what does not fit. */
    state: text('state').notNull().default('sent'),
    provider: text('provider').notNull(),
    accountId: text('account_id'),
    model: text('model').notNull(),
    dialectOut: text('dialect_out').notNull(),
    failure: text('failure'),
    detail: text('detail'),
    http: integer('http'),
    upstreamRequestId: text('upstream_request_id'),
    /** The rules that led to it, each with its target, outermost first; null where a model was asked for by its name. */
    via: text('via'),
    /** What was set aside for it, and as JSON the counters of rules that it counts in; null: in none. */
    reservedNano: integer('reserved_nano').notNull().default(0),
    reservedInput: integer('reserved_input').notNull().default(0),
    reservedOutput: integer('reserved_output').notNull().default(0),
    counters: text('counters'),
    ...usageColumns(),
    /** What is paid, where the vendor bills other tokens than were read and written. */
    billedInput: integer('billed_input'),
    billedOutput: integer('billed_output'),
    msTotal: integer('ms_total'),
    msFirstToken: integer('ms_first_token'),
  },
  (table) => [
    primaryKey({ columns: [table.requestSeq, table.position] }),
    // Holds only what is in flight; recovery reads it at every start.
    index('attempts_unfinished')
      .on(table.atMs)
      .where(sql`state in ('reserved', 'sent')`),
  ],
)

/** Changed in the transaction that closes the requests it counts, so the two never disagree; it survives their pruning. */
export const keyTotals = sqliteTable('key_totals', {
  keyId: text('key_id').primaryKey(),
  requests: integer('requests').notNull(),
  costNano: integer('cost_nano').notNull(),
  lastUsedMs: integer('last_used_ms').notNull(),
})
