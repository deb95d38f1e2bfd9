/** How the vendors ask for their lists of models and shape them. Total: what is no list is undefined, what is no model is left out. */
import type { DialectId } from '../../catalog/dialect-id.ts'
import { asString, isObject, type JsonObject } from '../../core/json.ts'

/** A model as a list shows it. */
export interface Listed {
  readonly id: string
  readonly wire: JsonObject
}

export interface ListPage {
  readonly models: readonly Listed[]
  /** The query that asks for the next page (`?a=b`); absent on the last one. */
  readonly next?: string
}

export interface ListForm {
  readonly path: string
  /** Of the first page. It asks for the largest one where there are pages: by default they are small. */
  readonly search: string
  /** Undefined: this is no list of models. */
  read(body: unknown): ListPage | undefined
}

export function listFormOf(dialect: DialectId): ListForm {
  return FORMS[dialect] ?? openaiList
}

/** Some hosts leave the object around the list out. */
const openaiList: ListForm = {
  path: '/models',
  search: '',
  read: (body) => {
    const data = Array.isArray(body) ? body : isObject(body) ? body['data'] : undefined
    return Array.isArray(data) ? { models: listedBy(data, 'id') } : undefined
  },
}

// https://docs.anthropic.com/en/api/models-list (read 2026-11-21)
const anthropicList: ListForm = {
  path: '/models',
  search: '?limit=1000',
  read: (body) => {
    const page = openaiList.read(body)
    const last = isObject(body) && body['has_more'] === true ? asString(body['last_id']) : undefined
    return page && last !== undefined ? { ...page, next: `?limit=1000&after_id=${encodeURIComponent(last)}` } : page
  },
}

// https://ai.google.dev/api/rest/v1beta/models/list (read 2026-11-21)
const geminiList: ListForm = {
  path: '/models',
  search: '?pageSize=1000',
  read: (body) => {
    const page = modelsOf(body, 'name')
    if (page === undefined) return undefined
    const models = page.filter(({ wire }) => isFor(wire['supportedGenerationMethods'], 'generateContent'))
    const next = tokenOf(body, 'nextPageToken')
    return { models: models.map(withoutCollection), ...(next && { next: `?pageSize=1000&pageToken=${next}` }) }
  },
}

// https://github.com/cohere-ai/cohere-typescript, `ListModelsResponse` and `GetModelResponse` (read 2026-11-21)
const cohereList: ListForm = {
  path: '/models',
  search: '?page_size=1000&endpoint=chat',
  read: (body) => {
    const page = modelsOf(body, 'name')
    if (page === undefined) return undefined
    const next = tokenOf(body, 'next_page_token')
    const models = page.filter(({ wire }) => isFor(wire['endpoints'], 'chat'))
    return { models, ...(next && { next: `?page_size=1000&endpoint=chat&page_token=${next}` }) }
  },
}

// https://docs.ollama.com/api (read 2026-11-21)
const ollamaList: ListForm = {
  path: '/api/tags',
  search: '',
  read: (body) => {
    const models = modelsOf(body, 'name')
    return models && { models }
  },
}

/** All others do as OpenAI does. */
const FORMS: Readonly<Partial<Record<DialectId, ListForm>>> = {
  'anthropic-messages': anthropicList,
  gemini: geminiList,
  'cohere-v2': cohereList,
  ollama: ollamaList,
}

function modelsOf(body: unknown, idField: string): readonly Listed[] | undefined {
  const models = isObject(body) ? body['models'] : undefined
  return Array.isArray(models) ? listedBy(models, idField) : undefined
}

function listedBy(models: readonly unknown[], idField: string): readonly Listed[] {
  return models.flatMap((wire) => {
    const id = isObject(wire) ? asString(wire[idField]) : undefined
    return isObject(wire) && id !== undefined ? [{ id, wire }] : []
  })
}

/** A list that does not say what its models are for is believed. */
function isFor(uses: unknown, use: string): boolean {
  return !Array.isArray(uses) || uses.includes(use)
}

/** `models/gemini-…` is called by what follows the slash. */
function withoutCollection({ id, wire }: Listed): Listed {
  return { id: id.replace(/^models\//, ''), wire }
}

function tokenOf(body: unknown, field: string): string | undefined {
  const token = isObject(body) ? asString(body[field]) : undefined
  return token === undefined || token === '' ? undefined : encodeURIComponent(token)
}
