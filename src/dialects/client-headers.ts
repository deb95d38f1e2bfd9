/**
 * How clients of every dialect introduce themselves and name a call. Both vendors' libraries are made by one generator, hence
 * `x-stainless-*`. `@anthropic-ai/sdk` 1.11.0, `openai` 7.55.0 (read 2026-11-21)
 */
export const CLIENT_HEADERS: readonly string[] = [
  'user-agent',
  'idempotency-key',
  'x-client-request-id',
  'x-stainless-arch',
  'x-stainless-helper-method',
  'x-stainless-lang',
  'x-stainless-os',
  'x-stainless-package-version',
  'x-stainless-retry-count',
  'x-stainless-runtime',
  'x-stainless-runtime-version',
  'x-stainless-timeout',
]
