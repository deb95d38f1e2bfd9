/**
 * How values are distributed, as numbers that add up: how many lie in each bin. Written as text in which joining two is adding
 * them, so that SQL can put any number of them together without knowing what they say.
 */

/** Bins grow by this ratio, so a percentile read from them is within one per cent. */
export const BIN_RATIO = 1.02

/** How many values lie in each bin. */
export type Bins = Map<number, number>

/** Bin n holds what is from `BIN_RATIO` ** n − 1 up to the next. Not negative. */
export function binOf(value: number): number {
  return Math.trunc(Math.log(value + 1) / LOG_RATIO)
}

/** What stands for all values of a bin: its middle. */
export function valueOfBin(bin: number): number {
  return Math.round(BIN_RATIO ** (bin + 0.5) - 1)
}

/** A bin and its count after another, each a number of five bits a letter, the lowest first. */
export function writeBins(bins: ReadonlyMap<number, number>): string {
  let text = ''
  for (const [bin, amount] of bins) text += digits(bin) + digits(amount)
  return text
}

/** Both written texts as one that is no longer than it has to be. */
export function sumOfBins(a: string, b: string): string {
  return a === '' || b === '' ? a + b : writeBins(binsFrom(a + b))
}

/** Of any number of written texts, one after the other. What nobody wrote here is read as some number, never as an error. */
export function binsFrom(joined: string): Bins {
  const bins: Bins = new Map()
  let bin: number | undefined
  let number = 0
  let weight = 1
  for (let at = 0; at < joined.length; at++) {
    const letter = joined.charCodeAt(at) - FIRST_LETTER
    number += (letter & DIGIT) * weight
    weight *= BASE
    if ((letter & MORE) !== 0) continue
    if (bin === undefined) bin = number
    else {
      bins.set(bin, (bins.get(bin) ?? 0) + number)
      bin = undefined
    }
    number = 0
    weight = 1
  }
  return bins
}

/** What so many per cent of the values do not exceed, by nearest rank and within one per cent; null without values. */
export interface Percentiles {
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

export function percentilesOf(bins: Bins): Percentiles {
  const sorted = [...bins].sort(([a], [b]) => a - b)
  const places = sorted.reduce((sum, [, amount]) => sum + amount, 0)
  const read = (per: number): number | null => {
    let left = Math.ceil((places * per) / 100)
    const found = sorted.find(([, amount]) => (left -= amount) <= 0)
    return found === undefined ? null : valueOfBin(found[0])
  }
  return { p50: read(50), p95: read(95), p99: read(99) }
}

const LOG_RATIO = Math.log(BIN_RATIO)
/** 64 letters from this one on are printable. */
const FIRST_LETTER = 48
const BASE = 32
const DIGIT = BASE - 1
/** Set in every letter of a number but its last. */
const MORE = BASE

function digits(value: number): string {
  let text = ''
  let rest = value
  while (rest >= BASE) {
    text += String.fromCharCode(FIRST_LETTER + (rest % BASE) + MORE)
    rest = Math.floor(rest / BASE)
  }
  return text + String.fromCharCode(FIRST_LETTER + rest)
}
