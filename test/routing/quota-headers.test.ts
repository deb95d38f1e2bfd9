import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { LimitWindows } from '../../src/catalog/provider.ts'
import { type QuotaReading, quotasIn } from '../../src/routing/quota-headers.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const DATE = 'Thu, 15 Jan 2026 12:00:00 GMT'

function read(headers: Readonly<Record<string, string>>, windows?: LimitWindows): readonly QuotaReading[] {
  return quotasIn((name) => headers[name] ?? null, windows, NOW)
}

const reading = (
  window: QuotaReading['window'],
  unit: QuotaReading['unit'],
  limit: number | null,
  remaining: number,
  resetsAfterMs: number | null,
): QuotaReading => ({ window, unit, limit, used: limit === null ? null : limit - remaining, remaining, resetsAfterMs })

interface Case {
  readonly vendor: string
  readonly headers: Readonly<Record<string, string>>
  readonly windows?: LimitWindows
  readonly readings: readonly QuotaReading[]
}

const CASES: readonly Case[] = [
  {
    // https://platform.openai.com/docs/guides/rate-limits (read 2026-11-21)
    vendor: 'OpenAI',
    headers: {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    readings: [reading('rpm', 'requests', 60, 59, 1_000), reading('tpm', 'tokens', 150_000, 149_984, 360_000)],
  },
  {
    // https://platform.claude.com/docs/en/api/rate-limits (read 2026-11-21)
    vendor: 'Anthropic',
    headers: {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': '2026-01-15T12:00:02Z',
      'anthropic-ratelimit-tokens-limit': '40000',
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-01-15T12:01:00Z',
      date: DATE,
    },
    readings: [reading('rpm', 'requests', 50, 49, 2_000), reading('tpm', 'tokens', 40_000, 0, 60_000)],
  },
  {
    // https://console.groq.com/docs/rate-limits (read 2026-11-21): requests are those of a day.
    vendor: 'Groq',
    headers: {
      'x-ratelimit-limit-requests': '14400',
      'x-ratelimit-remaining-requests': '14370',
      'x-ratelimit-reset-requests': '2m59.56s',
      'x-ratelimit-limit-tokens': '18000',
      'x-ratelimit-remaining-tokens': '17997',
      'x-ratelimit-reset-tokens': '7.66s',
    },
    windows: { requests: 'day' },
    readings: [reading('day', 'requests', 14_400, 14_370, 179_560), reading('tpm', 'tokens', 18_000, 17_997, 7_660)],
  },
  {
    // https://github.com/mistralai/client-ts/issues/169 (read 2026-11-21)
    vendor: 'Mistral',
    headers: {
      'x-ratelimit-limit-tokens-minute': '5000000',
      'x-ratelimit-remaining-tokens-minute': '4999911',
      'x-ratelimit-limit-req-minute': '720',
      'x-ratelimit-remaining-req-minute': '717',
    },
    readings: [reading('rpm', 'requests', 720, 717, null), reading('tpm', 'tokens', 5_000_000, 4_999_911, null)],
  },
  {
    // https://inference-docs.cerebras.ai/support/rate-limits (read 2026-11-21)
    vendor: 'Cerebras',
    headers: {
      'x-ratelimit-limit-requests-day': '1000000000',
      'x-ratelimit-limit-tokens-minute': '1000000000',
      'x-ratelimit-remaining-requests-day': '999997455',
      'x-ratelimit-remaining-tokens-minute': '999998298',
      'x-ratelimit-reset-requests-day': '33011.382867',
      'x-ratelimit-reset-tokens-minute': '11.382867',
    },
    readings: [
      reading('tpm', 'tokens', 1_000_000_000, 999_998_298, 11_383),
      reading('day', 'requests', 1_000_000_000, 999_997_455, 33_011_383),
    ],
  },
]

describe('what limits are left is read from the headers of', () => {
  for (const { vendor, headers, windows, readings } of CASES) {
    test(vendor, () => expect(read(headers, windows)).toEqual([...readings]))
  }
})

describe('a reset may be', () => {
  const resets: readonly (readonly [what: string, reset: string, afterMs: number | null])[] = [
    ['seconds', '12', 12_000],
    ['a duration', '1m30s', 90_000],
    ['an RFC 3339 moment', '2026-01-15T12:00:05Z', 5_000],
    ['an HTTP date', 'Thu, 15 Jan 2026 12:00:07 GMT', 7_000],
    ['seconds since 1970', String(NOW / 1_000 + 9), 9_000],
    ['milliseconds since 1970', String(NOW + 11), 11],
    ['in the past', '2026-01-15T11:00:00Z', 0],
    ['nonsense', 'soon', null],
  ]
  for (const [what, reset, afterMs] of resets) {
    test(what, () => {
      const headers = { 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': reset }
      expect(read(headers)).toEqual([reading('rpm', 'requests', null, 1, afterMs)])
    })
  }

  test('a moment on a clock that is not ours: that of the answer counts', () => {
    const headers = {
      'anthropic-ratelimit-tokens-remaining': '1',
      'anthropic-ratelimit-tokens-reset': '2026-01-15T13:00:10Z',
      date: 'Thu, 15 Jan 2026 13:00:00 GMT',
    }
    expect(read(headers)[0]?.resetsAfterMs).toBe(10_000)
  })
})

test('whatever headers hold, figures are never negative and never broken', () => {
  const value = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String))
  const names = ['limit', 'remaining', 'reset'].flatMap((what) => [
    `x-ratelimit-${what}-requests`,
    `anthropic-ratelimit-tokens-${what}`,
  ])
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names, 'date'), value), (headers) => {
      for (const { limit, used, remaining, resetsAfterMs } of read(headers)) {
        for (const figure of [limit, used, remaining, resetsAfterMs]) {
          if (figure !== null) expect(Number.isFinite(figure) && figure >= 0).toBe(true)
        }
      }
    }),
  )
})
