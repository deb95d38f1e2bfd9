/** What happens step by step, where a fault is more than how a provider meets one request. */
import { playProvider, type Provider } from '../support/provider.ts'
import type { Stand } from './stand.ts'
import type { Voice } from './voice.ts'

export interface History {
  readonly name: string
  /** All, unless it can only happen to some. */
  readonly voices?: readonly Voice[]
  readonly run: (stand: Stand, voice: Voice) => Promise<void>
}

export function withProvider(run: (played: Provider) => Promise<void>): Promise<void> {
  return withProviders(1, ([played]) => run(played))
}

export async function withProviders(
  count: number,
  run: (played: readonly [Provider, ...Provider[]]) => Promise<void>,
): Promise<void> {
  const played = [playProvider(), ...Array.from({ length: count - 1 }, () => playProvider())] as const
  try {
    await run(played)
  } finally {
    for (const one of played) one.stop()
  }
}
