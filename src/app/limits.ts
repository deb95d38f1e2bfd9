import type { Clock } from '../core/clock.ts'
import type { Reader } from '../db/reader.ts'
import { KeyLimits } from '../gateway/limits/key-limits.ts'
import { keyUseOf, keyUseQueries } from '../ledger/day-use.ts'
import type { WallClock } from '../ledger/spending/wall-clock.ts'
import { Windows } from '../ledger/spending/windows.ts'
import { WaitingLine } from '../resources/accounts/line.ts'

interface LimitParts extends Pick<ConstructorParameters<typeof KeyLimits>[0], 'limitsOf'> {
  readonly clock: Clock
  /** By which days are counted. */
  readonly wall: WallClock
  readonly reader: Reader<keyof typeof keyUseQueries>
}

/** The limits of keys, with a line of their own for those who wait for a place. */
export function openLimits({ clock, limitsOf, wall, reader }: LimitParts) {
  const line = new WaitingLine(clock)
  const limits = new KeyLimits({
    clock,
    limitsOf,
    nowMs: () => wall.nowMs(),
    windows: new Windows(),
    keyUse: (keyId, fromMs) => keyUseOf(reader, keyId, fromMs),
    line,
  })
  return { limits, queued: () => line.size, stop: limits.start() }
}
