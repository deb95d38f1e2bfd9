/** The providers that every installation knows. A file beside this one that is not in the list fails a test. */
import type { ProviderSpec } from '../provider.ts'
import { anthropic } from './anthropic.ts'
import { deepseek } from './deepseek.ts'
import { demo } from './demo.ts'
import { groq } from './groq.ts'
import { lmstudio } from './lmstudio.ts'
import { mistral } from './mistral.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { vllm } from './vllm.ts'

/** In the order in which they are shown. */
export const builtinProviders: readonly ProviderSpec[] = [
  anthropic,
  openai,
  openrouter,
  groq,
  deepseek,
  mistral,
  ollama,
  lmstudio,
  vllm,
  demo,
]
