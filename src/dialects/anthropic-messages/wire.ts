/**
 * The names and shapes of the Messages wire format that more than one file here needs. Only this folder knows them.
 * https://platform.claude.com/docs/en/api/messages (read 2026-11-21) and `@anthropic-ai/sdk` 1.11.0, `resources/messages`.
 */
import type { JsonObject } from '../../core/json.ts'
import type { NameRule } from '../tools/tool-names.ts'

export const ID = 'anthropic-messages'

/** Whose opaque state is sent without an envelope: this dialect's clients keep it as it came. */
export const HOME_VENDOR = 'anthropic'

/** The last version that takes sampling parameters; sent with requests that are built here. */
export const VERSION = '2023-06-01'

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use (read 2026-11-21) */
export const TOOL_NAME_RULE: NameRule = { illegal: /[^a-zA-Z0-9_-]/, lengthMax: 128 }

/** A block as it is sent. Mutable in nothing; marks are set by making a new block. */
export type WireBlock = JsonObject & { readonly type: string }

export type WireTurn = {
  readonly role: 'user' | 'assistant'
  readonly content: readonly WireBlock[]
}

/** One server-sent event. Without its `event:` line the official client does not see it. */
export function sse(type: string, data: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}
