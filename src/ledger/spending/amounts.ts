import type { Amounts } from './spending.ts'

export const NOTHING: Amounts = { costNano: 0, tokens: 0, requests: 0 }

export function plus(a: Amounts, b: Amounts): Amounts {
  return { costNano: a.costNano + b.costNano, tokens: a.tokens + b.tokens, requests: a.requests + b.requests }
}

export function minus(a: Amounts, b: Amounts): Amounts {
  return { costNano: a.costNano - b.costNano, tokens: a.tokens - b.tokens, requests: a.requests - b.requests }
}

export function isNothing({ costNano, tokens, requests }: Amounts): boolean {
  return costNano === 0 && tokens === 0 && requests === 0
}
