import type { Clock } from '../../core/clock.ts'
import { SECOND_MS } from '../../core/duration.ts'
import type { Ledger, RequestClosed, RequestOpened } from '../../ledger/record.ts'
import { Reservoir } from './reservoir.ts'

/** A busy second at least, an hour of a quiet one. */
const GATEWAY_TIMES_MAX = 1_024
const SECONDS = 60

/** What passes the gateway right now, seen from what it reports to the ledger. */
export class Traffic {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #streams = new Set<string>()
  readonly #gatewayMs = new Reservoir(GATEWAY_TIMES_MAX)
  /** Requests in each of the last seconds, by the second modulo their number, and which second that was. */
  readonly #perSecond = new Uint32Array(SECONDS)
  readonly #seconds = new Float64Array(SECONDS)

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** The same ledger, watched. */
  watching(ledger: Ledger): Ledger {
    return {
      openRequest: (record) => {
        this.#opened(record)
        ledger.openRequest(record)
      },
      openAttempt: (record) => ledger.openAttempt(record),
      onDisk: (attemptId) => ledger.onDisk(attemptId),
      sendAttempt: (attemptId) => ledger.sendAttempt(attemptId),
      closeAttempt: (record) => ledger.closeAttempt(record),
      closeRequest: (record) => {
        this.#closed(record)
        ledger.closeRequest(record)
      },
    }
  }

  get streamsOpen(): number {
    return this.#streams.size
  }

  /** Over the last minute. */
  get requestsPerSecond(): number {
    const oldest = this.#second() - SECONDS
    const requests = this.#perSecond.reduce(
      (sum, count, at) => sum + ((this.#seconds[at] ?? 0) > oldest ? count : 0),
      0,
    )
    return requests / SECONDS
  }

  /** Of the gateway's own share of the last requests. */
  gatewayMs(per: number): number | null {
    return this.#gatewayMs.percentile(per)
  }

  #opened({ id, stream }: RequestOpened): void {
    if (stream) this.#streams.add(id)
    const second = this.#second()
    const at = second % SECONDS
    if (this.#seconds[at] !== second) this.#perSecond[at] = 0
    this.#seconds[at] = second
    this.#perSecond[at] = (this.#perSecond[at] ?? 0) + 1
  }

  #closed({ id, msGateway }: RequestClosed): void {
    this.#streams.delete(id)
    this.#gatewayMs.add(msGateway)
  }

  /** Counted from 1, so that 0 stands for a second that never was. */
  #second(): number {
    return Math.floor(this.#clock.monotonicMs() / SECOND_MS) + SECONDS + 1
  }
}
