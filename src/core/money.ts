/**
 * Money without rounding errors. Prices are integer pico-dollars per token (1 $ per million tokens = 1,000,000), costs integer
 * nano-dollars. A price times a token count stays an exact double below $9,000 a request and is rounded up once, at settlement.
 */
export type PicoUsd = number
export type NanoUsd = number

const PICO_PER_NANO = 1_000
const NANO_PER_USD = 1_000_000_000
const PICO_PER_TOKEN_AT_ONE_USD_PER_MTOK = 1_000_000

/** Dollars per million tokens → pico-dollars per token, rounded to the nearest integer. */
export function picoPerToken(usdPerMtok: number): PicoUsd {
  return Math.round(usdPerMtok * PICO_PER_TOKEN_AT_ONE_USD_PER_MTOK)
}

export function usdPerMtok(pico: PicoUsd): number {
  return pico / PICO_PER_TOKEN_AT_ONE_USD_PER_MTOK
}

/** Rounds up: what was used is never charged below its price. */
export function nanoFromPico(pico: PicoUsd): NanoUsd {
  return Math.ceil(pico / PICO_PER_NANO)
}

/** A decimal number of dollars, for the API. */
export function usdFromNano(nano: NanoUsd): number {
  return nano / NANO_PER_USD
}

/** Dollars, as an operator writes them, to the nearest whole nano-dollar. Exact up to nine million dollars. */
export function nanoFromUsd(usd: number): NanoUsd {
  return Math.round(usd * NANO_PER_USD)
}
