import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { ANSWERS_KEPT, AnswerSizes } from '../../../src/ledger/spending/answer-sizes.ts'

/** Of the last answers, the least that 95 of a hundred do not pass. */
function usualOf(answers: readonly number[]): number | undefined {
  const kept = answers.slice(-ANSWERS_KEPT).toSorted((a, b) => a - b)
  return kept[Math.ceil(kept.length * 0.95) - 1]
}

test('what is usual is what nearly all of the last answers of a key and model did not pass, whenever it is asked', () => {
  const answers = fc.array(fc.tuple(fc.nat({ max: 12 }), fc.boolean()), { maxLength: 3 * ANSWERS_KEPT, size: 'max' })
  fc.assert(
    fc.property(answers, (steps) => {
      const sizes = new AnswerSizes()
      const noted: number[] = []
      for (const [tokens, isAsked] of steps) {
        sizes.note('key_1', 'm', tokens)
        noted.push(tokens)
        if (isAsked) expect(sizes.usual('key_1', 'm')).toBe(usualOf(noted))
      }
      expect(sizes.usual('key_1', 'm')).toBe(usualOf(noted))
      expect(sizes.usual('key_2', 'm')).toBeUndefined()
    }),
  )
})
