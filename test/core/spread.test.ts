import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { type Bins, binOf, binsFrom, percentilesOf, sumOfBins, valueOfBin, writeBins } from '../../src/core/spread.ts'

const bins = fc
  .dictionary(fc.integer({ min: 0, max: 2_000 }).map(String), fc.integer({ min: 1, max: 2 ** 40 }))
  .map((record): Bins => new Map(Object.entries(record).map(([bin, amount]) => [Number(bin), amount])))

test('what is written reads as it was', () => {
  fc.assert(fc.property(bins, (all) => expect(binsFrom(writeBins(all))).toEqual(all)))
})

test('joining two texts, and summing them, both add what they say', () => {
  fc.assert(
    fc.property(bins, bins, (a, b) => {
      const sum = new Map(a)
      for (const [bin, amount] of b) sum.set(bin, (sum.get(bin) ?? 0) + amount)
      expect(binsFrom(writeBins(a) + writeBins(b))).toEqual(sum)
      expect(binsFrom(sumOfBins(writeBins(a), writeBins(b)))).toEqual(sum)
    }),
  )
})

test('the middle of a bin is within one per cent of all that is in it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (value) => {
      expect(Math.abs(valueOfBin(binOf(value)) - value)).toBeLessThanOrEqual(0.5 + (value + 1) / 100)
    }),
  )
})

test('percentiles are those of the values themselves, within one per cent', () => {
  const values = fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(values, (all) => {
      const found: Bins = new Map()
      for (const value of all) found.set(binOf(value), (found.get(binOf(value)) ?? 0) + 1)
      const sorted = all.toSorted((a, b) => a - b)
      const { p50, p95, p99 } = percentilesOf(found)
      for (const [per, near] of [
        [50, p50],
        [95, p95],
        [99, p99],
      ] as const) {
        const exact = sorted[Math.ceil((all.length * per) / 100) - 1] ?? Number.NaN
        expect(Math.abs((near ?? Number.NaN) - exact)).toBeLessThanOrEqual(0.5 + (exact + 1) / 100)
      }
    }),
  )
  expect(percentilesOf(new Map())).toEqual({ p50: null, p95: null, p99: null })
})
