/** What a request's headers tell of the program that sent it. */

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
