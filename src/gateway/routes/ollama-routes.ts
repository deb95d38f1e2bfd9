/**
 * What clients of Ollama ask besides chats: which models there are, what one can do, and which version they talk to. All of it is
 * known here; no provider is asked. https://docs.ollama.com/api (read 2026-11-21)
 */
import { failure, type Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { valueOf } from '../../core/json-scan.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { ollama, ollamaGenerate } from '../../dialects/ollama/index.ts'
import { aboutModel, type AboutModel } from './about-model.ts'
import { chooseModel } from '../choose-model.ts'
import type { GatewayDeps, GatewayKey } from '../deps.ts'
import { OLLAMA_CHAT_FIELDS, OLLAMA_GENERATE_FIELDS } from '../endpoint.ts'
import type { Call } from '../exchange.ts'
import { modelsFor } from './models.ts'
import { failureResponse } from '../output.ts'
import { readJson } from '../read.ts'
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
  const model = aboutModel(deps, id)
  const digest = Bun.CryptoHasher.hash('sha256', id, 'hex')
  const about = { name: id, model: id, modified_at: UNKNOWN_TIME, size: 0, digest }
  return { ...about, details: detailsOf(model), capabilities: capabilityWords(model) }
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

/** Names mean here what they mean for a chat. A rule is described under its own name, a model under its full one. */
function fullName(deps: GatewayDeps, key: GatewayKey, name: string): Result<string, Failure> {
  const route = chooseModel(deps, key, name)
  if (!route.ok && route.error.kind !== 'forbidden') return route
  const to = route.ok ? route.value : undefined
  if (to?.kind === 'rule') return ok(name)
  if (to !== undefined) return ok(`${to.step.provider.id}/${to.step.model}`)
  return err(failure('unknown_model', `There is no model "${name.slice(0, 200)}" here.`, { param: 'model' }))
}

function described(deps: GatewayDeps, id: string): JsonObject {
  const model = aboutModel(deps, id)
  const { owner, contextTokens } = model
  return {
    license: '',
    modelfile: '',
    parameters: '',
    template: '',
    details: detailsOf(model),
    model_info: {
      'general.architecture': owner,
      'general.basename': id,
      ...(contextTokens === undefined ? {} : { [`${owner}.context_length`]: contextTokens }),
    },
    capabilities: capabilityWords(model),
    modified_at: UNKNOWN_TIME,
  }
}

/** Clients show the family; here it is who serves the model. */
function detailsOf({ owner }: AboutModel) {
  const unknown = { parent_model: '', format: '', parameter_size: '', quantization_level: '' }
  return { ...unknown, family: owner, families: [owner] }
}

/** Every model that chats is taken to call tools, as it is everywhere else here. */
function capabilityWords({ images, thinking }: AboutModel): readonly string[] {
  return ['completion', 'tools', ...(images ? ['vision'] : []), ...(thinking ? ['thinking'] : [])]
}
