/** Words and shapes of the OpenAI Responses wire. https://platform.openai.com/docs/api-reference/responses (read 2026-11-21). */
import type { JsonObject } from '../../core/json.ts'
import type { ServiceTier } from '../neutral.ts'

export const ID = 'openai-responses'

/** Who made encrypted reasoning that a client of this dialect sends without an envelope of ours. */
export const HOME_VENDOR = 'openai'

export type WireEvent = JsonObject & { readonly type: string }

/** One server-sent event; its name repeats the `type` of its data, which strict clients compare. */
export function sse(event: WireEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Events after which nothing that matters follows. */
export const TERMINAL: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** Our word → theirs; `batch` has none. */
export const TIER_WORDS: Readonly<Partial<Record<ServiceTier, string>>> = {
  auto: 'auto',
  standard: 'default',
  flex: 'flex',
  scale: 'scale',
  priority: 'priority',
  fast: 'fast',
}

/** Their word → ours. */
export const TIERS: ReadonlyMap<string, ServiceTier> = new Map(
  Object.entries<ServiceTier>({
    auto: 'auto',
    default: 'standard',
    flex: 'flex',
    scale: 'scale',
    priority: 'priority',
    fast: 'fast',
    ultrafast: 'fast',
  }),
)

/** `{ [name]: value }`, or nothing when there is no value: keeps absent members absent. */
export function optional<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]?: V })
}
