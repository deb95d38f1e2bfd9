/** The providers that every installation knows. A file beside this one that is not in the list fails a test. */
import type { ProviderSpec } from '../provider.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { azureDeployments } from './azure-deployments.ts'
import { bedrock } from './bedrock.ts'
import { cerebras } from './cerebras.ts'
import { cohere } from './cohere.ts'
import { deepseek } from './deepseek.ts'
import { demo } from './demo.ts'
import { fireworks } from './fireworks.ts'
import { githubModels } from './github-models.ts'
import { google } from './google.ts'
import { groq } from './groq.ts'
import { huggingface } from './huggingface.ts'
import { lmstudio } from './lmstudio.ts'
import { mistral } from './mistral.ts'
import { moonshotai } from './moonshotai.ts'
import { nvidia } from './nvidia.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { perplexity } from './perplexity.ts'
import { together } from './together.ts'
import { vertex } from './vertex.ts'
import { vllm } from './vllm.ts'
import { xai } from './xai.ts'
import { zai } from './zai.ts'

/** In the order in which they are shown. */
export const builtinProviders: readonly ProviderSpec[] = [
  anthropic,
  openai,
  google,
  openrouter,
  groq,
  deepseek,
  mistral,
  xai,
  moonshotai,
  zai,
  cohere,
  perplexity,
  azure,
  azureDeployments,
  bedrock,
  vertex,
  together,
  fireworks,
  cerebras,
  huggingface,
  nvidia,
  githubModels,
  ollama,
  lmstudio,
  vllm,
  demo,
]
