/** `GET /v1/models` and `/v1/models/{id}`: what a key may use, in one object that OpenAI's and Anthropic's clients both read. */
import { failure, type Failure } from '../../core/failure.ts'
import type { JsonObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { offered } from '../../routing/resolve.ts'
import { aboutModel, listedRules } from './about-model.ts'
import { mayUse } from '../admit.ts'
import type { GatewayDeps, GatewayKey } from '../deps.ts'

export const MODELS_PAGE_MAX = 1_000

/** Lists pages as the dialects do: `limit` (1–1000), `after_id`, `before_id`. Failure: `malformed`. */
export function listModels(deps: GatewayDeps, key: GatewayKey, query: URLSearchParams): Result<JsonObject, Failure> {
  const limit = Number(query.get('limit') ?? MODELS_PAGE_MAX)
  if (!Number.isInteger(limit) || limit < 1 || limit > MODELS_PAGE_MAX)
    return err(failure('malformed', `"limit" must be an integer from 1 to ${MODELS_PAGE_MAX}.`, { param: 'limit' }))
  const all = modelsFor(deps, key)
  const after = query.get('after_id')
  const before = query.get('before_id')
  const from = after === null ? 0 : all.indexOf(after) + 1
  const to = before === null ? all.length : all.indexOf(before)
  const window = all.slice(from, Math.max(from, to))
  const page = before === null ? window.slice(0, limit) : window.slice(-limit)
  return ok({
    object: 'list',
    data: page.map((id) => modelObject(deps, id)),
    has_more: page.length < window.length,
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
  })
}

/** Failure: `unknown_model`, also for one that the key may not use. */
export function getModel(deps: GatewayDeps, key: GatewayKey, id: string): Result<JsonObject, Failure> {
  if (modelsFor(deps, key).includes(id)) return ok(modelObject(deps, id))
  return err(failure('unknown_model', `There is no model "${id.slice(0, 200)}" here.`, { param: 'model' }))
}

/** The names of all that a key may use: aliases and chains first, then the models of providers. An alias may have a model's name. */
export function modelsFor(deps: GatewayDeps, key: GatewayKey): readonly string[] {
  const models = offered(deps.directory()).filter((id) => mayUse(key, [id]))
  return [...new Set([...listedRules(deps, key), ...models])]
}

function modelObject(deps: GatewayDeps, id: string): JsonObject {
  const { owner, name, contextTokens, maxOutputTokens } = aboutModel(deps, id)
  return {
    id,
    object: 'model',
    type: 'model',
    created: 0,
    created_at: '1970-01-01T00:00:00.000Z',
    owned_by: owner,
    display_name: name,
    ...known('context_length', contextTokens),
    ...known('max_output_tokens', maxOutputTokens),
  }
}

function known(name: string, value: number | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value }
}
