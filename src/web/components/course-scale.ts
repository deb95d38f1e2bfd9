/** Where the course of a budget lies in its picture. Pure; everything is in percent of the picture, from its upper left corner. */

export interface CourseSums {
  /** What was spent by when, ascending. */
  readonly points: readonly { readonly atMs: number; readonly usd: number }[]
  readonly startMs: number
  readonly endMs: number
  readonly projectedUsd: number
  readonly lowUsd: number | null
  readonly highUsd: number | null
  readonly limitUsd: number | null
}

export interface Spot {
  readonly x: number
  readonly y: number
}

export interface CoursePicture {
  readonly line: readonly Spot[]
  readonly now: Spot
  readonly projected: Spot
  /** The band's lower and upper end; undefined where too little is known. */
  readonly band: readonly [low: Spot, high: Spot] | undefined
  /** Undefined where nothing is limited in dollars. */
  readonly limitY: number | undefined
  /** Amounts at the edge, from 0 up. */
  readonly ticks: readonly { readonly y: number; readonly usd: number }[]
}

/** So many steps at most from nothing to the top. */
const STEPS_MAX = 4
/** Room above the highest mark. */
const HEADROOM = 1.08
const NICE = [1, 2, 2.5, 5, 10] as const
/** Where nothing costs anything yet the axis ends here. */
const TOP_MIN_USD = 1e-6

export function pictureOf(sums: CourseSums): CoursePicture {
  const { points, startMs, endMs, projectedUsd, lowUsd, highUsd, limitUsd } = sums
  const last = points.at(-1) ?? { atMs: startMs, usd: 0 }
  const top = HEADROOM * Math.max(TOP_MIN_USD, last.usd, projectedUsd, highUsd ?? 0, limitUsd ?? 0)
  const x = (atMs: number): number => (100 * (atMs - startMs)) / Math.max(1, endMs - startMs)
  const y = (usd: number): number => 100 - (100 * usd) / top
  const at = (atMs: number, usd: number): Spot => ({ x: x(atMs), y: y(usd) })
  return {
    line: points.map(({ atMs, usd }) => at(atMs, usd)),
    now: at(last.atMs, last.usd),
    projected: at(endMs, projectedUsd),
    band: lowUsd === null || highUsd === null ? undefined : [at(endMs, lowUsd), at(endMs, highUsd)],
    limitY: limitUsd === null ? undefined : y(limitUsd),
    ticks: ticksTo(top).map((usd) => ({ y: y(usd), usd })),
  }
}

/** Round amounts from 0 to `top`. */
export function ticksTo(top: number): readonly number[] {
  const rough = top / STEPS_MAX
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (NICE.find((nice) => nice * power >= rough) ?? 10)
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, at) => at * step)
}
