import { CLIENT_HEADERS } from '../client-headers.ts'

/**
 * Headers of a Responses client that mean something to its provider. Prefixes (`x-codex-*`, `x-stainless-*`) are spelt out as
 * the names that clients are known to send. https://github.com/openai/codex, https://github.com/openai/openai-node (read 2026-11-21)
 */
export const FORWARDED_HEADERS: readonly string[] = [
  ...CLIENT_HEADERS,
  'openai-beta',
  'originator',
  'session_id',
  'session-id',
  'conversation_id',
  'conversation-id',
  'thread-id',
  'version',
  'x-codex-beta-features',
  'x-codex-installation-id',
  'x-codex-parent-thread-id',
  'x-codex-turn-metadata',
  'x-codex-turn-state',
  'x-codex-window-id',
  'x-openai-subagent',
]
