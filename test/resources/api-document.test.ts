import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { ACCESS } from '../../src/resources/access.ts'
import type { ApiDocument } from '../support/api-client.ts'
import { makeApp } from '../support/app.ts'

async function documentOf(): Promise<ApiDocument> {
  await using app = await makeApp()
  const response = await app.request('/v1/openapi.json')
  expect(response.headers.get('x-request-id')).toStartWith('req_')
  return (await response.json()) as ApiDocument
}

/** Pages, probes and documents are no part of the API that the document describes. */
function isDescribed({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method !== 'HEAD' && path.startsWith('/v1/') && path !== '/v1/openapi.json'
}

describe("the API's document", () => {
  test('is an OpenAPI 3.1 document by the schema of its makers', async () => {
    const validator = new Validator()
    expect(await validator.validate({ ...(await documentOf()) })).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('gives every operation that a client generates a name of its own', async () => {
    const operations = Object.values((await documentOf()).paths).flatMap((methods) => Object.values(methods))
    const ids = operations.flatMap(({ operationId }) => operationId ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(40)
  })

  test('describes every route that the access table opens', async () => {
    const { paths } = await documentOf()
    const missing = ACCESS.filter(isDescribed).filter(({ method, path }) => {
      const documented = path.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{id}')
      return paths[documented]?.[method.toLowerCase()] === undefined
    })
    expect(missing).toEqual([])
  })

  test('gives every body that a dashboard route takes its schema', async () => {
    const { paths } = await documentOf()
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ route: `${method} ${path}`, operation })),
    )
    const bare = operations.filter(({ operation: { requestBody } }) => {
      return requestBody !== undefined && requestBody.content['application/json']?.schema === undefined
    })
    expect(bare.map(({ route }) => route)).toEqual([])
  })

  test('gives every success of a dashboard route its schema', async () => {
    const operations = Object.values((await documentOf()).paths).flatMap((methods) => Object.values(methods))
    const bare = operations.filter(({ operationId, responses }) => {
      const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      const contents = Object.values(success?.[1].content ?? {})
      return operationId !== undefined && !contents.some(({ schema }) => schema !== undefined)
    })
    expect(bare.map(({ operationId }) => operationId)).toEqual([])
  })
})
