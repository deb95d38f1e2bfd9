const EXACT_BELOW = 10_000
const STEPS = [
  { size: 1_000_000_000, unit: 'G' },
  { size: 1_000_000, unit: 'M' },
  { size: 1_000, unit: 'k' },
] as const

/** Tokens: exact below 10,000, then `12.8 k`, `214.6 M`. */
export function tokensText(count: number): string {
  const step = count < EXACT_BELOW ? undefined : STEPS.find(({ size }) => count >= size)
  return step === undefined ? countText(count) : `${(count / step.size).toFixed(1)} ${step.unit}`
}

/** `18,402`. */
export function countText(count: number): string {
  return count.toLocaleString('en-US')
}

/** `1 key`, `3 keys`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`
}

/** A share of one as `99.3 %`; whole from ten on unless it is near the ends. */
export function percentText(share: number): string {
  const percent = share * 100
  const isPlain = Number.isInteger(percent) || (percent >= 10 && percent <= 90)
  return `${percent.toFixed(isPlain ? 0 : 1)} %`
}

/** Bytes in units of 1024: `312 B`, `4.2 KiB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[power] ?? ''}`
}
