/**
 * A client made from the API's document and nothing else, as generated ones are: its methods are the document's operations, what
 * it sends and what it is answered are held against the document's schemas. Invariant: it knows no path and no field by itself.
 */
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Call } from './dashboard.ts'

export interface ApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Operation {
  readonly operationId?: string
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Partial<Content>>>
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema?: object }>>
}

export interface Asked {
  /** For the names in braces of the operation's path. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Calls an operation by its id. Throws when question or answer is not as the document says, and on every status that it lacks. */
export type ApiClient = (operationId: string, asked?: Asked) => Promise<ApiAnswer>

export interface ApiAnswer {
  // oxlint-disable-next-line typescript/no-explicit-any -- the schema has checked it
  readonly data: any
  readonly message: string
}

interface Method {
  readonly verb: string
  readonly path: string
  readonly body: ValidateFunction | undefined
  readonly answers: ReadonlyMap<string, ValidateFunction>
}

const JSON_TYPE = 'application/json'

export function apiClient(document: ApiDocument, call: Call): ApiClient {
  const methods = methodsOf(document)
  return async (operationId, asked = {}) => {
    const method = methods.get(operationId)
    if (method === undefined) throw new Error(`the document has no operation ${operationId}`)
    if (method.body !== undefined) hold(method.body, asked.body, `what ${operationId} is sent`)
    const { status, body } = await call(method.verb.toUpperCase(), addressOf(method.path, asked), asked.body)
    const check = method.answers.get(String(status))
    if (check === undefined) throw new Error(`${operationId} answered ${status}: ${JSON.stringify(body)}`)
    hold(check, body, `the answer of ${operationId}`)
    return body
  }
}

function methodsOf(document: ApiDocument): ReadonlyMap<string, Method> {
  const compiler = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': isTime } })
  const methods = new Map<string, Method>()
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      const { operationId, requestBody, responses } = operation
      if (operationId === undefined) continue
      const answers = Object.entries(responses).map(
        ([status, answer]) => [status, compiler.compile(schemaOf(answer))] as const,
      )
      const body = requestBody === undefined ? undefined : compiler.compile(schemaOf(requestBody))
      methods.set(operationId, { verb, path, body, answers: new Map(answers) })
    }
  }
  return methods
}

/** An answer without a schema promises nothing. */
function schemaOf({ content }: Partial<Content>): object {
  return content?.[JSON_TYPE]?.schema ?? {}
}

function addressOf(path: string, { path: parts = {}, query = {} }: Asked): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}

function hold(check: ValidateFunction, value: unknown, what: string): void {
  if (!check(value)) throw new Error(`${what} is not as documented: ${(check.errors ?? []).map(wordsOf).join(', ')}`)
}

function wordsOf({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))
}
