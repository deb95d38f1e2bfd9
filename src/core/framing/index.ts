/** The framer of each framing. */
import { eventStreamSseFramer } from './event-stream-sse.ts'
import { EventStreamFramer } from './event-stream.ts'
import type { Framer, Framing } from './frame.ts'
import { JsonArrayFramer } from './json-array.ts'
import { NdjsonFramer } from './ndjson.ts'
import { SseFramer } from './sse.ts'

const FRAMERS: Readonly<Record<Framing, () => Framer>> = {
  sse: () => new SseFramer(),
  'event-stream': () => new EventStreamFramer(),
  'event-stream-sse': () => eventStreamSseFramer(),
  'json-array': () => new JsonArrayFramer(),
  ndjson: () => new NdjsonFramer(),
}

export function framerOf(framing: Framing): Framer {
  return FRAMERS[framing]()
}
