/** What clients are told whose key has reached a limit. */
import { counted } from '../../core/counted.ts'
import { failure, type Failure } from '../../core/failure.ts'
import type { Gauge } from './gauge.ts'

/** A guess, for clients that are told when to come back: a place becomes free with the end of another request. */
const PLACE_FREE_AFTER_MS = 1_000

const NOUNS: Readonly<Record<Gauge['unit'], string>> = { requests: 'request', tokens: 'token' }

/** The limit that is in the way of a request of about `tokens` for longest; undefined when none is. */
export function overLimit(gauges: readonly Gauge[], tokens: number): Failure | undefined {
  let worst: { readonly gauge: Gauge; readonly waitMs: number } | undefined
  for (const gauge of gauges) {
    const amount = gauge.unit === 'requests' ? 1 : tokens
    const waitMs = gauge.fitsAfterMs(amount)
    if (waitMs === undefined) return never(gauge, amount)
    if (waitMs > (worst?.waitMs ?? 0)) worst = { gauge, waitMs }
  }
  return worst && later(worst.gauge, worst.waitMs)
}

export function tooManyAtOnce(most: number): Failure {
  const message = `This gateway key has ${counted(most, 'request')} under way, as many as it may have at once.`
  return failure('limited', message, { retryAfterMs: PLACE_FREE_AFTER_MS })
}

export function uncountedToday(detail: string): Failure {
  const message = 'What this gateway key has used today cannot be read right now.'
  return failure('overloaded', message, { retryAfterMs: PLACE_FREE_AFTER_MS, detail })
}

function later({ limit, unit, per }: Gauge, retryAfterMs: number): Failure {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  const message = `This gateway key may use ${counted(limit, NOUNS[unit])} per ${per}; there is room again in ${seconds} s.`
  return failure('limited', message, { retryAfterMs })
}

function never({ limit, unit, per }: Gauge, amount: number): Failure {
  const asks = unit === 'requests' ? 'none is allowed now' : `this request has about ${Math.ceil(amount)}`
  return failure('limited', `This gateway key may use ${counted(limit, NOUNS[unit])} per ${per}; ${asks}.`, {
    final: true,
  })
}
