/** The framer of each framing. */
import type { Framer, Framing } from './frame.ts'
import { NdjsonFramer } from './ndjson.ts'
import { SseFramer } from './sse.ts'

const FRAMERS: Readonly<Record<Framing, () => Framer>> = {
  sse: () => new SseFramer(),
  ndjson: () => new NdjsonFramer(),
}

export function framerOf(framing: Framing): Framer {
  return FRAMERS[framing]()
}
