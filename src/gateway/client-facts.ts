/** What a request's headers tell of the program that sent it, and of what it belongs to. */

/** How well-known programs name themselves in `user-agent`; the first match wins. */
const CLIENTS: readonly (readonly [RegExp, string])[] = [
  [/claude-cli|claude-code/i, 'claude-code'],
  [/codex/i, 'codex'],
  [/opencode/i, 'opencode'],
  [/^anthropic\//i, 'anthropic-sdk'],
  [/^openai\//i, 'openai-sdk'],
  [/google-genai/i, 'google-sdk'],
  [/^curl\//i, 'curl'],
]

export function clientOf(userAgent: string | null): string | null {
  if (userAgent === null) return null
  return CLIENTS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}

const SESSION_HEADERS = ['x-claude-code-session-id', 'session_id', 'session-id', 'conversation_id'] as const
const SESSION_CHARACTERS_MAX = 128

export function sessionOf(headers: Headers): string | null {
  for (const name of SESSION_HEADERS) {
    const value = headers.get(name)
    if (value !== null) return value.slice(0, SESSION_CHARACTERS_MAX)
  }
  return null
}

/** Version, trace and parent; versions to come may say more. https://www.w3.org/TR/trace-context/ (read 2026-11-21) */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/
const NO_TRACE = '0'.repeat(32)

/** The trace that the client's request is a part of. */
export function traceOf(headers: Headers): string | null {
  const trace = TRACEPARENT.exec(headers.get('traceparent') ?? '')?.[1]
  return trace === undefined || trace === NO_TRACE ? null : trace
}
