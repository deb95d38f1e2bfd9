/**
 * What clients of Ollama ask besides chats: which models there are, what one can do, and which version they talk to. All of it is
 * known here; no provider is asked. https://docs.ollama.com/api (read 2026-11-21)
 */
import type { ModelCapabilities } from '../catalog/provider.ts'
import { failure, type Failure } from '../core/failure.ts'
import type { JsonObject } from '../core/json.ts'
import { valueOf } from '../core/json-scan.ts'
import { err, ok, type Result } from '../core/result.ts'
import { ollama, ollamaGenerate } from '../dialects/ollama/index.ts'
import { reachedBy } from '../routing/reach.ts'
import { chooseModel } from './choose-model.ts'
import type { GatewayDeps, GatewayKey } from './deps.ts'
import { OLLAMA_CHAT_FIELDS, OLLAMA_GENERATE_FIELDS } from './endpoint.ts'
import type { Call } from './exchange.ts'
import { modelsFor } from './models.ts'
import { failureResponse } from './output.ts'
import { readJson } from './read.ts'
import { authenticateCall, chatRoute, jsonResponse, type GatewayRoute } from './route.ts'

/** The word in `endpoints_allow`. */
const WORD = 'ollama'
/** The version whose interface this is: clients refuse to talk to one that is older than what they need. */
const OLLAMA_VERSION = '0.40.12'
/** Nobody says when a model was made. */
const UNKNOWN_TIME = '1970-01-01T00:00:00Z'

export const OLLAMA_ROUTES: readonly GatewayRoute[] = [
  chatRoute('/api/chat', 'Chat (Ollama)', { name: WORD, dialect: ollama, fields: OLLAMA_CHAT_FIELDS }),
  chatRoute('/api/generate', 'Answer a prompt (Ollama)', {
    name: WORD,
    dialect: ollamaGenerate,
    fields: OLLAMA_GENERATE_FIELDS,
  }),
  route('POST', '/api/show', 'What one model can do (Ollama)', show),
  route('GET', '/api/tags', 'List the models that the calling key may use (Ollama)', tags),
  route('GET', '/api/version', 'The version of the Ollama interface', async () => ok({ version: OLLAMA_VERSION })),
]

type Answered = (deps: GatewayDeps, key: GatewayKey, call: Call) => Promise<Result<JsonObject, Failure>>

function route(method: 'GET' | 'POST', path: string, summary: string, answer: Answered): GatewayRoute {
  return {
    method,
    path,
    summary,
    dialect: ollama,
    handle: async (deps, call) => {
      const key = authenticateCall(deps, call, WORD)
      const answered = key.ok ? await answer(deps, key.value, call) : key
      return answered.ok ? jsonResponse(call, answered.value) : failureResponse(ollama, answered.error, call)
    },
  }
}

async function tags(deps: GatewayDeps, key: GatewayKey): Promise<Result<JsonObject, Failure>> {
  return ok({ models: modelsFor(deps, key).map((id) => tagOf(deps, id)) })
}

function tagOf(deps: GatewayDeps, id: string): JsonObject {
  const digest = Bun.CryptoHasher.hash('sha256', id, 'hex')
  const about = { name: id, model: id, modified_at: UNKNOWN_TIME, size: 0, digest }
  return { ...about, details: detailsOf(id), capabilities: capabilityWords(capabilitiesOf(deps, id)) }
}

/** Failures: `malformed`, `unknown_model`. */
async function show(deps: GatewayDeps, key: GatewayKey, call: Call): Promise<Result<JsonObject, Failure>> {
  const body = await readJson(call.request, deps.settings().bodyBytesMax)
  if (!body.ok) return body
  const name = valueOf(body.value, 'model') ?? valueOf(body.value, 'name')
  if (typeof name !== 'string' || name === '')
    return err(failure('malformed', '"model" must be the name of a model.', { param: 'model' }))
  const id = fullName(deps, key, name)
  return id.ok ? ok(described(deps, id.value)) : id
}

/** Names mean here what they mean for a chat; of a rule, the first model that it leads to is described. */
function fullName(deps: GatewayDeps, key: GatewayKey, name: string): Result<string, Failure> {
  const route = chooseModel(deps, key, name)
  if (!route.ok && route.error.kind !== 'forbidden') return route
  const [step] = route.ok ? reachedBy(route.value) : []
  if (step !== undefined) return ok(`${step.provider.id}/${step.model}`)
  return err(failure('unknown_model', `There is no model "${name.slice(0, 200)}" here.`, { param: 'model' }))
}

function described(deps: GatewayDeps, id: string): JsonObject {
  const capabilities = capabilitiesOf(deps, id)
  const { family } = detailsOf(id)
  const context = capabilities?.contextTokens
  return {
    license: '',
    modelfile: '',
    parameters: '',
    template: '',
    details: detailsOf(id),
    model_info: {
      'general.architecture': family,
      'general.basename': id,
      ...(context === undefined ? {} : { [`${family}.context_length`]: context }),
    },
    capabilities: capabilityWords(capabilities),
    modified_at: UNKNOWN_TIME,
  }
}

/** Clients show the family; here it is who serves the model. */
function detailsOf(id: string) {
  const family = id.slice(0, id.indexOf('/'))
  const unknown = { parent_model: '', format: '', parameter_size: '', quantization_level: '' }
  return { ...unknown, family, families: [family] }
}

function capabilitiesOf(deps: GatewayDeps, id: string): ModelCapabilities | undefined {
  const slash = id.indexOf('/')
  const provider = deps.directory().provider(id.slice(0, slash))
  return provider && deps.capabilitiesOf(provider, id.slice(slash + 1))
}

/** Every model that chats is taken to call tools, as it is everywhere else here. */
function capabilityWords(capabilities: ModelCapabilities | undefined): readonly string[] {
  return [
    'completion',
    'tools',
    ...(capabilities?.images === true ? ['vision'] : []),
    ...(capabilities !== undefined && capabilities.thinking !== 'none' ? ['thinking'] : []),
  ]
}
