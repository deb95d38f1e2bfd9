/**
 * Numbers as people read them. Pure: what is shown, never where. Invariant: money is whole nano-dollars from here on, so that no
 * sum shows the dust of binary fractions.
 */
const NANO_PER_USD = 1_000_000_000
const DECIMALS = 9
/** Prices are stored as whole pico-dollars per token. */
const RATE_DECIMALS = 6
/** Below a ten-thousandth of a dollar four decimals would show nothing. */
const TINY_NANO = 100_000

/** An amount in two parts: `faint` are the digits that rarely matter. */
export interface MoneyText {
  readonly text: string
  readonly faint: string
}

/** The API's decimal dollars as whole nano-dollars, exact up to nine million dollars. */
export function nanoFromUsd(usd: number): number {
  return Math.round(usd * NANO_PER_USD)
}

/** From $1 two decimals; below four, and two more faint; below $0.0001 two significant ones. */
export function moneyText(nano: number): MoneyText {
  const sign = nano < 0 ? '−' : ''
  const size = Math.abs(nano)
  if (size === 0) return { text: '$0', faint: '' }
  if (size >= NANO_PER_USD) return { text: `${sign}$${decimal(size, 2)}`, faint: '' }
  if (size < TINY_NANO) return { text: `${sign}$${twoSignificant(size)}`, faint: '' }
  const digits = decimal(size, 6)
  return { text: `${sign}$${digits.slice(0, -2)}`, faint: digits.slice(-2) }
}

/** All nine decimals, for details and on hover. */
export function exactMoney(nano: number): string {
  return `${nano < 0 ? '−' : ''}$${decimal(Math.abs(nano), DECIMALS)}`
}

/** For axes and sentences: no decimals that are zero. */
export function shortMoney(nano: number): string {
  const { text, faint } = moneyText(nano)
  return `${text}${faint}`.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
}

/** A price of something, such as dollars per million tokens: `$15`, `$0.80`, `$0.0375`. As it was set, never rounded to cents. */
export function rateText(usd: number): string {
  const minimumFractionDigits = Number.isInteger(usd) ? 0 : 2
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits, maximumFractionDigits: RATE_DECIMALS })}`
}

/** Rounded half up to `places`, with thousands set apart. */
function decimal(nano: number, places: number): string {
  const unit = 10 ** (DECIMALS - places)
  const units = Math.round(nano / unit)
  const perDollar = 10 ** places
  const dollars = Math.floor(units / perDollar).toLocaleString('en-US')
  return `${dollars}.${String(units % perDollar).padStart(places, '0')}`
}

function twoSignificant(nano: number): string {
  const leading = String(nano).length
  return decimal(nano, Math.min(DECIMALS, DECIMALS - leading + 2))
}
