import type { Clock } from '../../core/clock.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { type Refusal, refusal } from '../../http/refusal.ts'
import type { Audit } from '../audit/service.ts'
import type { Caller } from '../auth/actor.ts'
import { actedBy } from '../auth/acted-by.ts'
import { columnsOf, csvHead, csvLine } from './csv.ts'
import { readRequestQuery, type RequestQuery, type RequestQuestion } from './filters.ts'
import { requestToWire, RequestWire } from './schema.ts'
import type { UsageStore } from './store.ts'
import type { LoggedRequest } from './usage.ts'

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
}

export interface ExportQuery extends Omit<RequestQuery, 'cursor'> {
  readonly format: ExportFormat
  readonly q?: string
}

/** So many rows are read, written down and handed on at once: a few milliseconds of the event loop. */
export const ROWS_AT_ONCE = 100
/** Each takes its turns of the reader's thread, which answers the pages of the dashboard, too. */
export const EXPORTS_MAX = 2
const COLUMNS = columnsOf(RequestWire.properties)

interface Deps {
  readonly store: Pick<UsageStore, 'rows'>
  readonly audit: Audit
  readonly clock: Clock
}

/** The request log as a file that is written while it is read: never more than one step of it is in memory. */
export class UsageExport {
  readonly #deps: Deps
  #running = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Oldest first, up to this moment. Every export is in the audit log before its first byte. The stream breaks where the log
   * cannot be read further: a file that ends in order is whole. Refusals: `invalid`; `throttled` while too many are under way;
   * `unavailable` when the log or the audit log cannot be used.
   */
  async open(query: ExportQuery, caller: Caller): Promise<Result<ReadableStream<Uint8Array>, Refusal>> {
    const question = readRequestQuery(query, 0, this.#deps.clock.nowMs())
    if (!question.ok) return question
    if (this.#running >= EXPORTS_MAX)
      return err(refusal('throttled', `${EXPORTS_MAX} exports are under way; wait for one`))
    this.#running++
    const rows = this.#rows(question.value, query.q)
    const ready = await this.#begin(rows, query, caller)
    if (!ready.ok) {
      this.#running--
      return ready
    }
    const done = (): void => void this.#running--
    return ok(new ReadableStream(new FileSource(rows, ready.value, LINES[query.format], done), { highWaterMark: 0 }))
  }

  /** The first step and the entry in the audit log, without either of which there is no answer. */
  async #begin(rows: Rows, query: ExportQuery, caller: Caller): Promise<Result<readonly LoggedRequest[], Refusal>> {
    const first = await rows.next()
    if (!first.ok) return first
    const recorded = await this.#deps.audit.record({
      ...actedBy(caller),
      action: 'usage.export',
      object: { type: 'usage', id: null, name: null },
      after: { ...query },
      outcome: 'ok',
    })
    return recorded.ok ? first : recorded
  }

  #rows({ filters, range }: RequestQuestion, q: string | undefined): Rows {
    const { store, clock } = this.#deps
    const upToNow = { ...range, toMs: Math.min(range.toMs, clock.nowMs()) }
    return new Rows((after) =>
      store.rows({ ...filters, q }, upToNow, { order: 'asc', after, offset: 0, limit: ROWS_AT_ONCE }),
    )
  }
}

/** Writes the steps down as the client takes them. */
class FileSource {
  readonly #rows: Rows
  readonly #lines: Lines
  readonly #done: () => void
  #read: readonly LoggedRequest[] | undefined
  #isOver = false

  /** `first` has been read already. `done` is called once, whatever becomes of it. */
  constructor(rows: Rows, first: readonly LoggedRequest[], lines: Lines, done: () => void) {
    this.#rows = rows
    this.#read = first
    this.#lines = lines
    this.#done = done
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.#lines.head !== '') controller.enqueue(Buffer.from(this.#lines.head))
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const step = this.#read === undefined ? await this.#rows.next() : ok(this.#read)
    this.#read = undefined
    if (!step.ok || step.value.length === 0) this.#end()
    if (!step.ok) return controller.error(new Error(step.error.message))
    if (step.value.length === 0) return controller.close()
    controller.enqueue(Buffer.from(step.value.map(this.#lines.line).join('')))
  }

  /** The client has left. */
  cancel(): void {
    this.#end()
  }

  #end(): void {
    if (!this.#isOver) this.#done()
    this.#isOver = true
  }
}

type Read = (after: { atMs: number; id: string } | undefined) => Promise<Result<readonly LoggedRequest[], Refusal>>

/** Step by step, each from where the one before it ended. */
class Rows {
  readonly #read: Read
  #after: { atMs: number; id: string } | undefined

  constructor(read: Read) {
    this.#read = read
  }

  /** Empty at the end. */
  async next(): Promise<Result<readonly LoggedRequest[], Refusal>> {
    const rows = await this.#read(this.#after)
    const last = rows.ok ? rows.value.at(-1) : undefined
    if (last !== undefined) this.#after = { atMs: last.atMs, id: last.id }
    return rows
  }
}

interface Lines {
  readonly head: string
  line(request: LoggedRequest): string
}

const LINES: Readonly<Record<ExportFormat, Lines>> = {
  jsonl: { head: '', line: (request) => `${JSON.stringify(requestToWire(request))}\n` },
  csv: { head: csvHead(COLUMNS), line: (request) => csvLine(COLUMNS, requestToWire(request)) },
}
