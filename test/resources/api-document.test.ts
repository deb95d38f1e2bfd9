import { describe, expect, test } from 'bun:test'
import { ACCESS } from '../../src/resources/access.ts'
import { makeApp } from '../support/app.ts'

interface ApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: unknown }>> }
  readonly responses: object
}

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
})
