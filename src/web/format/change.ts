export interface ChangeText {
  readonly direction: 'up' | 'down' | 'same'
  /** `22 %`; empty when there was nothing before. */
  readonly amount: string
}

/** How a figure compares with the one before it. A rise from nothing has no percentage. */
export function changeText(now: number, before: number): ChangeText {
  if (now === before) return { direction: 'same', amount: '' }
  const direction = now > before ? 'up' : 'down'
  if (before === 0) return { direction, amount: '' }
  const percent = Math.abs((now - before) / before) * 100
  return { direction, amount: `${percent >= 10 || percent < 0.05 ? Math.round(percent) : percent.toFixed(1)} %` }
}
