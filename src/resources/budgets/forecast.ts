/**
 * What will have been spent at the end of a period, from what was spent so far: a mean for each slot of the week once two weeks are
 * known, else one mean for all of the time; the band is where four of five outcomes fall if days vary as they did. Pure.
 */
import { DAY_MS } from '../../core/duration.ts'

/** A stretch of time and what was spent in it. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
  readonly amount: number
  /** Which part of the week it is; stretches of one slot are expected to be alike. */
  readonly slot: number
}

export interface Course {
  /** One after the other, without gaps: from long ago, over now, to the end of what is forecast. Those to come have spent nothing. */
  readonly stretches: readonly Stretch[]
  readonly nowMs: number
  /** From where on a moment's sum counts: the beginning of the period, or for a rolling window the moment less its length. */
  readonly countsFrom: (atMs: number) => number
  /** Null: not limited. */
  readonly limit: number | null
}

export type ForecastMethod = 'none' | 'linear' | 'weekly'

export interface Forecast {
  /** Sums as they were at the end of each stretch so far, and now. */
  readonly points: readonly Point[]
  readonly projected: number
  /** Null while too little is known to tell. */
  readonly low: number | null
  readonly high: number | null
  /** When the limit is or was reached; null: not before the end. */
  readonly crossesAtMs: number | null
  readonly method: ForecastMethod
}

export interface Point {
  readonly atMs: number
  readonly sum: number
}

/** What a stretch is expected to spend, and how far it is off. */
interface Model {
  readonly method: Exclude<ForecastMethod, 'none'>
  readonly meanOf: (stretch: Stretch) => number
  /** Of one stretch; null while too little is known. */
  readonly variance: number | null
  /** How many stretches a mean was taken from. */
  readonly samplesOf: (stretch: Stretch) => number
}

/** From so much history on the slots of the week are told apart. */
const WEEKLY_FROM_MS = 14 * DAY_MS
/** Older history says little about now. */
const RECENT_MS = 56 * DAY_MS
/** Of complete stretches; fewer say nothing about how much they vary. */
const VARIANCE_SAMPLES_MIN = 3
/** Four of five outcomes of a normal distribution lie so many standard deviations around its mean. */
const DEVIATIONS = 1.2816

export function forecastOf({ stretches, nowMs, countsFrom, limit }: Course): Forecast {
  const past = stretches.flatMap((stretch) => (stretch.startMs < nowMs ? [before(stretch, nowMs)] : []))
  const model = modelOf(stretches, nowMs)
  const coming = stretches.flatMap((stretch) => (stretch.endMs > nowMs ? [after(stretch, nowMs)] : []))
  const expected = coming.map((part) => ({ ...part, amount: model === null ? 0 : part.share * model.meanOf(part) }))
  const levels = levelsOf([...past, ...expected], countsFrom)
  const now = past.length - 1
  const end = levels.at(-1) ?? { atMs: nowMs, sum: 0 }
  const isKept = countsFrom(end.atMs) === countsFrom(nowMs)
  return {
    points: levels.slice(0, now + 1).filter(({ atMs }) => atMs > countsFrom(nowMs)),
    projected: end.sum,
    ...bandOf(end.sum, deviationOf(model, coming), isKept ? (levels[now]?.sum ?? 0) : 0),
    crossesAtMs: limit === null ? null : crossingOf(levels, now, limit, end.atMs),
    method: model?.method ?? 'none',
  }
}

/** The part of a stretch that is over. */
function before(stretch: Stretch, nowMs: number): Stretch {
  return stretch.endMs <= nowMs ? stretch : { ...stretch, endMs: nowMs }
}

/** A stretch, and which share of it is to come. */
function after(stretch: Stretch, nowMs: number): Stretch & { readonly share: number } {
  const { startMs, endMs } = stretch
  return { ...stretch, share: (endMs - Math.max(startMs, nowMs)) / (endMs - startMs) }
}

/** Null when nothing was ever spent. What was before the first spending is no history. */
function modelOf(stretches: readonly Stretch[], nowMs: number): Model | null {
  const firstAt = stretches.findIndex(({ amount }) => amount > 0)
  const first = stretches[firstAt]
  if (first === undefined) return null
  const recent = stretches
    .slice(firstAt)
    .filter(({ startMs }) => startMs < nowMs && nowMs - startMs <= RECENT_MS)
    .map((stretch) => before(stretch, nowMs))
  const running = stretches.find(({ startMs, endMs }) => startMs < nowMs && endMs > nowMs)
  const whole = running === undefined ? recent : recent.slice(0, -1)
  const isWeekly = nowMs - first.startMs >= WEEKLY_FROM_MS
  return isWeekly ? weeklyModel(whole) : linearModel(recent, whole)
}

function weeklyModel(whole: readonly Stretch[]): Model {
  const slots = Map.groupBy(whole, ({ slot }) => slot)
  const all = meanOf(whole)
  const means = new Map([...slots].map(([slot, some]) => [slot, meanOf(some)]))
  const mean = ({ slot }: Stretch): number => means.get(slot) ?? all
  const squares = whole.reduce((sum, stretch) => sum + (stretch.amount - mean(stretch)) ** 2, 0)
  const freedom = whole.length - slots.size
  return {
    method: 'weekly',
    meanOf: mean,
    variance: freedom > 0 ? squares / freedom : null,
    samplesOf: ({ slot }) => slots.get(slot)?.length ?? whole.length,
  }
}

/** The running stretch counts for the mean by the time that it has run, and not for how much stretches vary. */
function linearModel(recent: readonly Stretch[], whole: readonly Stretch[]): Model {
  const spent = recent.reduce((sum, { amount }) => sum + amount, 0)
  const lengthMs = recent.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  const perMs = spent / Math.max(1, lengthMs)
  const mean = meanOf(whole)
  const squares = whole.reduce((sum, { amount }) => sum + (amount - mean) ** 2, 0)
  return {
    method: 'linear',
    meanOf: ({ startMs, endMs }) => perMs * (endMs - startMs),
    variance: whole.length < VARIANCE_SAMPLES_MIN ? null : squares / (whole.length - 1),
    samplesOf: () => whole.length,
  }
}

function meanOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { amount }) => sum + amount, 0) / Math.max(1, stretches.length)
}

/** The sum at the end of each stretch, of what counts then. */
function levelsOf(stretches: readonly Stretch[], countsFrom: (atMs: number) => number): readonly Point[] {
  let sum = 0
  let oldest = 0
  return stretches.map(({ endMs, amount }) => {
    sum += amount
    const fromMs = countsFrom(endMs)
    for (let out = stretches[oldest]; out !== undefined && out.endMs <= fromMs; out = stretches[++oldest])
      sum -= out.amount
    return { atMs: endMs, sum: Math.max(0, sum) }
  })
}

/** How far the sum at the end is expected to be off: days differ, and their mean is only as good as what it was taken from. */
function deviationOf(model: Model | null, coming: readonly (Stretch & { readonly share: number })[]): number | null {
  if (model === null || model.variance === null) return null
  const { variance, samplesOf } = model
  const shares = new Map<number, { readonly share: number; readonly samples: number }>()
  for (const part of coming) {
    const slot = model.method === 'weekly' ? part.slot : 0
    const share = part.share + (shares.get(slot)?.share ?? 0)
    shares.set(slot, { share, samples: samplesOf(part) })
  }
  const factors = [...shares.values()].map(({ share, samples }) => share + share ** 2 / Math.max(1, samples))
  return Math.sqrt(variance * factors.reduce((sum, factor) => sum + factor, 0))
}

/** `least`: what is spent already and does not leave the window before the end. */
function bandOf(projected: number, deviation: number | null, least: number): Pick<Forecast, 'low' | 'high'> {
  if (deviation === null) return { low: null, high: null }
  return { low: Math.max(least, projected - DEVIATIONS * deviation), high: projected + DEVIATIONS * deviation }
}

/**
 * Since when the sum has been at the limit, or when it will be next, if that is before the end; within a stretch as if it were spent
 * evenly.
 */
function crossingOf(levels: readonly Point[], now: number, limit: number, endMs: number): number | null {
  const isOver = ({ sum }: Point): boolean => sum >= limit
  const lastBelow = levels.findLastIndex((level, at) => at <= now && !isOver(level))
  const at = lastBelow < now ? lastBelow + 1 : levels.findIndex((level, at) => at > now && isOver(level))
  const [reached, earlier] = [levels[at], levels[at - 1]]
  if (reached === undefined || earlier === undefined) return reached?.atMs ?? null
  const share = (limit - earlier.sum) / (reached.sum - earlier.sum)
  const atMs = Math.round(earlier.atMs + share * (reached.atMs - earlier.atMs))
  return atMs < endMs ? atMs : null
}
