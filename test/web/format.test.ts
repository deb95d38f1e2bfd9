import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { changeText } from '../../src/web/format/change.ts'
import { bytesText, percentText, plural, tokensText } from '../../src/web/format/count.ts'
import { exactMoney, moneyText, nanoFromUsd, rateText, shortMoney } from '../../src/web/format/money.ts'
import { clockText, durationText, relativeText, uptimeText } from '../../src/web/format/time.ts'

const NANO_MAX = 1_000_000_000_000_000

describe('money', () => {
  test.each([
    [0, '$0', ''],
    [48.27, '$48.27', ''],
    [1234.5, '$1,234.50', ''],
    [1, '$1.00', ''],
    [0.191645, '$0.1916', '45'],
    [0.0382124, '$0.0382', '12'],
    [0.0001, '$0.0001', '00'],
    [0.000031, '$0.000031', ''],
    [0.0000009, '$0.00000090', ''],
    [0.000000001, '$0.000000001', ''],
    [-0.5, '−$0.5000', '00'],
  ])('%p dollars', (usd, text, faint) => {
    expect(moneyText(nanoFromUsd(usd))).toEqual({ text, faint })
  })

  test('all nine decimals on hover, none that are zero on an axis', () => {
    expect(exactMoney(nanoFromUsd(0.1916445))).toBe('$0.191644500')
    expect([0, 0.5, 150, 2.5].map((usd) => shortMoney(nanoFromUsd(usd)))).toEqual(['$0', '$0.5', '$150', '$2.5'])
  })

  test('a price is shown as it was set', () => {
    expect([15, 0.8, 0.0375, 0, 1_250.5].map(rateText)).toEqual(['$15', '$0.80', '$0.0375', '$0', '$1,250.50'])
  })

  test('a sum of binary fractions shows no dust', () => {
    expect(exactMoney(nanoFromUsd(0.1 + 0.2))).toBe('$0.300000000')
  })

  test('the exact text is the amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: NANO_MAX }), (nano) => {
        expect(nanoFromUsd(Number(exactMoney(nano).replaceAll(/[$,]/g, '')))).toBe(nano)
      }),
    )
  })
})

describe('counts', () => {
  test('tokens are exact below ten thousand', () => {
    expect([0, 812, 9_999, 12_800, 214_600_000, 3_200_000_000].map(tokensText)).toEqual([
      '0',
      '812',
      '9,999',
      '12.8 k',
      '214.6 M',
      '3.2 G',
    ])
  })

  test('shares, sizes and plurals', () => {
    expect([0, 0.993, 0.71, 0.005, 1].map(percentText)).toEqual(['0 %', '99.3 %', '71 %', '0.5 %', '100 %'])
    expect([312, 4_300, 5_000_000].map(bytesText)).toEqual(['312 B', '4.2 KiB', '4.8 MiB'])
    expect([plural(1, 'key'), plural(1_200, 'key')]).toEqual(['1 key', '1,200 keys'])
  })

  test('a change has a direction, and an amount when there was something before', () => {
    expect(changeText(78, 100)).toEqual({ direction: 'down', amount: '22 %' })
    expect(changeText(5, 0)).toEqual({ direction: 'up', amount: '' })
    expect(changeText(3, 3)).toEqual({ direction: 'same', amount: '' })
  })
})

describe('time', () => {
  test.each([
    [3, '3 ms'],
    [1.1, '1.1 ms'],
    [880, '0.88 s'],
    [17_600, '17.6 s'],
    [124_000, '2 min 04 s'],
    [11_100_000, '3 h 05 min'],
  ])('%p milliseconds', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })

  test('how long ago, and how long from now', () => {
    expect(relativeText(0, 12_000)).toBe('12 s ago')
    expect(relativeText(3 * 3_600_000, 0)).toBe('in 3 h')
    expect(relativeText(0, 200)).toBe('now')
    expect(uptimeText(12 * 86_400_000 + 4 * 3_600_000)).toBe('12 d 4 h')
  })

  test('the date is there when it is not today', () => {
    const now = new Date(2026, 10, 21, 15, 0, 0)
    expect(clockText(new Date(2026, 10, 21, 14, 31, 29), now)).toBe('14:31:29')
    expect(clockText(new Date(2026, 10, 20, 14, 31, 29), now)).toBe('20 Nov 14:31')
    expect(clockText(new Date(2025, 10, 20, 14, 31, 29), now)).toBe('20 Nov 2025')
  })
})
