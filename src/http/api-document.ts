import { toOpenAPISchema } from '@elysiajs/openapi'
import { Elysia, type AnyElysia } from 'elysia'
import { isObject } from '../core/json.ts'

/** A route that Elysia does not know: the inference surface speaks the formats of others, described by their makers. */
export interface ForeignRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly summary: string
}

interface Deps {
  readonly version: string
  readonly foreignRoutes: readonly ForeignRoute[]
}

export const API_DOCUMENT_PATH = '/v1/openapi.json'

/**
 * `GET /v1/openapi.json`: the document alone, made from the schemas that `routes` checks by. Public, and it holds no data. Made
 * when first asked for: it costs more than a request should.
 */
export function apiDocument(routes: AnyElysia, { version, foreignRoutes }: Deps) {
  let made: string | undefined
  return new Elysia({ normalize: false }).get(API_DOCUMENT_PATH, () => {
    made ??= JSON.stringify(documentOf(routes, version, foreignRoutes))
    return new Response(made, { headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' } })
  })
}

function documentOf(routes: AnyElysia, version: string, foreignRoutes: readonly ForeignRoute[]) {
  const { paths, components } = toOpenAPISchema(routes)
  const made: Record<string, Record<string, Operation>> = JSON.parse(JSON.stringify(paths), withNull)
  const documented = Object.fromEntries(Object.entries(made).map(withOpenEnd))
  for (const { method, path, hooks } of routes.routes) {
    const operation = documented[path.replaceAll(/:(\w+)/g, '{$1}').replace(OPEN_END, '{id}')]?.[method.toLowerCase()]
    // Bodies are read by our own parser, from which the library cannot tell their type.
    if (operation?.requestBody !== undefined && hooks.body !== undefined)
      operation.requestBody = { required: true, content: { 'application/json': { schema: hooks.body } } }
  }
  return {
    openapi: '3.1.2',
    info: { title: 'Signalbox', version, description: DESCRIPTION },
    paths: { ...documented, ...described(foreignRoutes) },
    components: { ...components, securitySchemes: SECURITY_SCHEMES },
    security: [{ accessToken: [] }],
  }
}

/** Where a word may be null the library leaves null out of those that are allowed, and so allows no null at all. */
function withNull(_name: string, value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value['type']) || !Array.isArray(value['enum'])) return value
  return value['type'].includes('null') ? { ...value, enum: [...value['enum'], null] } : value
}

interface Operation {
  requestBody?: unknown
  parameters?: readonly unknown[]
}

const OPEN_END = /\*$/

/** A path that ends in whatever was sent ends in a parameter here, which the library leaves out. */
function withOpenEnd([path, operations]: [string, Record<string, Operation>]): [string, Record<string, Operation>] {
  if (!OPEN_END.test(path)) return [path, operations]
  const named = Object.entries(operations).map(([method, operation]) => [
    method,
    { ...operation, parameters: [...(operation.parameters ?? []).filter((one) => !isOpenEnd(one)), ID] },
  ])
  return [path.replace(OPEN_END, '{id}'), Object.fromEntries(named)]
}

function isOpenEnd(parameter: unknown): boolean {
  return typeof parameter === 'object' && parameter !== null && 'name' in parameter && parameter.name === '*'
}

const DESCRIPTION =
  'The REST API behind the dashboard, and the inference routes beside it. Lists take `offset` and `limit`; errors are ' +
  '`{message}`, validation errors `{message, errors}` with status 422.'

const SECURITY_SCHEMES = {
  accessToken: { type: 'http', scheme: 'bearer', description: 'From `POST /v1/auth/sign-in`; dashboard routes.' },
  gatewayKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'Or as a bearer token; inference routes.',
  },
} as const

/** By path, each with all of its methods. */
function described(routes: readonly ForeignRoute[]): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replace('*', '{id}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route) }
  }
  return paths
}

function describe({ method, path, summary }: ForeignRoute) {
  return {
    summary,
    tags: ['inference'],
    security: [{ gatewayKey: [] }],
    ...(path.includes('*') ? { parameters: [ID] } : {}),
    ...(method === 'POST' ? { requestBody: ANY_JSON } : {}),
    responses: { 200: { description: "In the format of the route's vendor." } },
  }
}

const ID = { name: 'id', in: 'path' as const, required: true, schema: { type: 'string' as const } }
const ANY_JSON = { required: true, content: { 'application/json': { schema: { type: 'object' as const } } } }
