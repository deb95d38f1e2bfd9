import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { addBins, type Bins, binOf, condense, sumOfBins, valueOfBin, writeBins } from '../../src/core/spread.ts'

const bins = fc
  .dictionary(fc.integer({ min: 0, max: 2_000 }).map(String), fc.integer({ min: 1, max: 2 ** 40 }))
  .map((record): Bins => new Map(Object.entries(record).map(([bin, amount]) => [Number(bin), amount])))

function read(text: string): Bins {
  const found: Bins = new Map()
  addBins(found, text)
  return found
}

test('what is written reads as it was', () => {
  fc.assert(fc.property(bins, (all) => expect(read(writeBins(all))).toEqual(all)))
})

test('joining two texts, and summing them, both add what they say', () => {
  fc.assert(
    fc.property(bins, bins, (a, b) => {
      const sum = new Map(a)
      for (const [bin, amount] of b) sum.set(bin, (sum.get(bin) ?? 0) + amount)
      expect(read(writeBins(a) + writeBins(b))).toEqual(sum)
      expect(read(sumOfBins(writeBins(a), writeBins(b)))).toEqual(sum)
      expect(condense(writeBins(a) + writeBins(b))).toHaveLength(writeBins(sum).length)
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
