/** A request that is only thought of → what rules would see of it. Nothing is sent, recorded or counted. */
import type { Failure } from '../core/failure.ts'
import { ok, type Result } from '../core/result.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { gemini } from '../dialects/gemini/index.ts'
import { ollama } from '../dialects/ollama/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { once } from '../core/once.ts'
import { type RequestView, USUAL_PRIORITY } from '../routing/request-view.ts'
import {
  CHAT_FIELDS,
  type ChatEndpoint,
  GEMINI_FIELDS,
  MESSAGES_FIELDS,
  OLLAMA_CHAT_FIELDS,
  RESPONSES_FIELDS,
} from './endpoint.ts'
import { decodeBody } from './exchange.ts'
import { readChat } from './read.ts'
import { viewOf, type ViewedKey } from './request-view.ts'

export interface SimulatedRequest {
  readonly endpoint: ChatEndpoint['name']
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** Null: as sent with a key of which nothing is known. */
  readonly key: ViewedKey | null
  readonly budgetLeftPct: RequestView['budgetLeftPct']
  readonly atMs: number
}

const ENDPOINTS: Readonly<Record<ChatEndpoint['name'], ChatEndpoint>> = {
  messages: { name: 'messages', dialect: anthropicMessages, fields: MESSAGES_FIELDS },
  chat: { name: 'chat', dialect: openaiChat, fields: CHAT_FIELDS },
  responses: { name: 'responses', dialect: openaiResponses, fields: RESPONSES_FIELDS },
  gemini: { name: 'gemini', dialect: gemini, fields: GEMINI_FIELDS },
  ollama: { name: 'ollama', dialect: ollama, fields: OLLAMA_CHAT_FIELDS },
}
/** The chain is asked, whatever model the body names. */
const MODEL = 'simulated'
const NOBODY: ViewedKey = { id: '', tags: {}, planId: null, priority: USUAL_PRIORITY }

/** Failures: `malformed` for a body that the endpoint would refuse, `too_large`. */
export async function viewOfSimulated(
  { endpoint: name, body, headers, key, budgetLeftPct, atMs }: SimulatedRequest,
  bodyBytesMax: number,
): Promise<Result<RequestView, Failure>> {
  const endpoint = ENDPOINTS[name]
  const text = JSON.stringify({ ...body, model: MODEL })
  const request = new Request('http://simulated.invalid/', {
    method: 'POST',
    headers: new Headers(headers),
    body: text,
  })
  const read = await readChat(request, endpoint.fields, bodyBytesMax, addressedBy(name, body))
  if (!read.ok) return read
  const decoded = once(() => decodeBody(endpoint, read.value, [], undefined, request.headers))
  const view = viewOf(endpoint, { request, atMs }, key ?? NOBODY, read.value, decoded, budgetLeftPct)
  return ok(key === null ? { ...view, keyId: undefined, planId: undefined, tags: undefined } : view)
}

/** Gemini says in the path whether it wants a stream; here its body may say so. */
function addressedBy(name: ChatEndpoint['name'], { stream }: SimulatedRequest['body']) {
  return name === 'gemini' ? { model: MODEL, stream: stream === true } : undefined
}
