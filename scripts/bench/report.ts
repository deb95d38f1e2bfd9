/** How results are shown: tables of one line per case, and at the end every target with what was measured. */

/** A bound of the project's, as a number that must not be passed. */
export interface Verdict {
  readonly name: string
  readonly measured: number
  readonly bound: number
  readonly unit: string
  /** Whether a larger number is the better one. */
  readonly atLeast?: boolean
}

export function heading(title: string): void {
  console.log(`\n${title}`)
}

export function row(label: string, ...cells: readonly string[]): void {
  console.log(`  ${label.padEnd(34)}${cells.map((cell) => cell.padStart(13)).join('')}`)
}

/** Three significant digits are more than a shared machine can promise. */
export function number(value: number | null, unit = ''): string {
  // What was never measured travels between processes as null.
  if (value === null || !Number.isFinite(value)) return 'none'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return `${value.toFixed(digits)}${unit}`
}

/** Returns how many bounds were missed. */
export function showVerdicts(verdicts: readonly Verdict[]): number {
  heading('Targets')
  row('', 'measured', 'target', '')
  for (const verdict of verdicts) {
    const { name, measured, bound, unit, atLeast } = verdict
    row(
      name,
      number(measured, unit),
      `${atLeast === true ? '≥' : '≤'} ${number(bound, unit)}`,
      holds(verdict) ? 'pass' : 'MISS',
    )
  }
  return verdicts.filter((verdict) => !holds(verdict)).length
}

function holds({ measured, bound, atLeast }: Verdict): boolean {
  return atLeast === true ? measured >= bound : measured <= bound
}
