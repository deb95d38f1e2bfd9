/** Every dialect's sample. A new dialect is added here and in its own file, and then keeps every law. */
import { messages } from './anthropic-messages.ts'
import { converse } from './bedrock-converse.ts'
import { cohere } from './cohere-v2.ts'
import { geminiSample } from './gemini.ts'
import { ollamaSample } from './ollama.ts'
import { chat } from './openai-chat.ts'
import { completions } from './openai-completions.ts'
import { responses } from './openai-responses.ts'
import type { ClientSample, Sample, UpstreamSample } from './sample.ts'

export const SAMPLES: readonly Sample[] = [
  messages,
  chat,
  responses,
  completions,
  converse,
  geminiSample,
  cohere,
  ollamaSample,
]

export const CLIENTS: readonly ClientSample[] = SAMPLES.filter((sample): sample is ClientSample => 'client' in sample)
export const UPSTREAMS: readonly UpstreamSample[] = SAMPLES.filter(
  (sample): sample is UpstreamSample => 'upstream' in sample,
)
