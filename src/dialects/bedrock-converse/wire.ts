/**
 * Names and rules of the Converse format that more than one file here needs. Only this folder knows them.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html and `@aws-sdk/client-bedrock-runtime`
 * 3.1162.0 (read 2026-11-21)
 */
import type { DialectId } from '../../catalog/dialect-id.ts'
import type { JsonObject } from '../../core/json.ts'
import type { NameRule } from '../tools/tool-names.ts'

export const ID: DialectId = 'bedrock-converse'

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html (read 2026-11-21) */
export const TOOL_NAME_RULE: NameRule = { illegal: /[^a-zA-Z0-9_-]/, lengthMax: 64 }

/** A block as it is sent: an object with one member, whose name says what it is. */
export type WireBlock = JsonObject

export interface WireTurn {
  readonly role: 'user' | 'assistant'
  readonly content: readonly WireBlock[]
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html (read 2026-11-21) */
export const CACHE_POINTS_MAX = 4
