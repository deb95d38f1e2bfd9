import { CLIENT_HEADERS } from '../client-headers.ts'

/** Headers of a client that mean something to its provider, spelt out. `@google/genai` 3.1.0 (read 2026-11-21) */
export const FORWARDED_HEADERS: readonly string[] = [
  ...CLIENT_HEADERS,
  'x-goog-api-client',
  'x-server-timeout',
  'x-vertex-ai-llm-request-type',
]
