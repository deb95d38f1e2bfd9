/**
 * Headers of a Messages client that mean something to its provider, spelt out: version, betas, and how the client's library
 * introduces itself. https://platform.claude.com/docs/en/api/versioning and `@anthropic-ai/sdk` 1.11.0 (read 2026-11-21)
 */
export const FORWARDED_HEADERS: readonly string[] = [
  'anthropic-version',
  'anthropic-beta',
  'anthropic-user-profile-id',
  'anthropic-dangerous-direct-browser-access',
  'idempotency-key',
  'user-agent',
  'x-app',
  'x-claude-code-session-id',
  'x-client-request-id',
  'x-stainless-arch',
  'x-stainless-helper',
  'x-stainless-helper-method',
  'x-stainless-lang',
  'x-stainless-os',
  'x-stainless-package-version',
  'x-stainless-retry-count',
  'x-stainless-runtime',
  'x-stainless-runtime-version',
  'x-stainless-timeout',
]
