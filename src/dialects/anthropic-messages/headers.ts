import { CLIENT_HEADERS } from '../client-headers.ts'

/**
 * Headers of a Messages client that mean something to its provider, spelt out: version, betas, and how the client's library
 * introduces itself. https://platform.claude.com/docs/en/api/versioning and `@anthropic-ai/sdk` 1.11.0 (read 2026-11-21)
 */
export const FORWARDED_HEADERS: readonly string[] = [
  ...CLIENT_HEADERS,
  'anthropic-version',
  'anthropic-beta',
  'anthropic-user-profile-id',
  'anthropic-dangerous-direct-browser-access',
  'x-app',
  'x-claude-code-session-id',
  'x-stainless-helper',
]
