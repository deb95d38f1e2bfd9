import { describe, expect, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { jsonSubset } from '../../../src/dialects/gemini/json-subset.ts'
import { openApiSchema } from '../../../src/dialects/gemini/openapi-schema.ts'

const RICH: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    // Named like keywords.
    type: { type: 'string', format: 'email' },
    $schema: { type: 'string' },
    properties: { const: 'fixed' },
    count: { type: 'integer', exclusiveMinimum: 0, multipleOf: 5 },
    maybe: { type: ['string', 'null'] },
    either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    level: { enum: [1, 2, null] },
    tree: { $ref: '#/$defs/node', description: 'lost beside a reference' },
    both: {
      allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'string' } } }],
    },
    empty: { type: 'object' },
    list: { type: 'array' },
  },
  required: ['type', 'nowhere'],
  additionalProperties: false,
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
}

describe('the subset of JSON Schema', () => {
  const { properties, ...root } = jsonSubset(RICH) as { properties: Record<string, JsonObject> } & JsonObject

  test('keeps what it knows and tells the rest in words', () => {
    expect(root).toEqual({
      type: 'object',
      required: ['type', 'nowhere'],
      additionalProperties: false,
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    })
    expect(properties['type']).toEqual({ type: 'string', format: 'email' })
    expect(properties['$schema']).toEqual({ type: 'string' })
    expect(properties['properties']).toEqual({ enum: ['fixed'] })
    expect(properties['count']).toEqual({ type: 'integer', description: 'exclusiveMinimum: 0. multipleOf: 5' })
    expect(properties['maybe']).toEqual({ type: ['string', 'null'] })
    expect(properties['tree']).toEqual({ $ref: '#/$defs/node' })
    expect(properties['both']).toEqual({
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a'],
    })
    expect(properties['empty']).toEqual({ type: 'object' })
  })

  test('finds older definitions under their newer name', () => {
    const old = { $ref: '#/definitions/a', definitions: { a: { $ref: '#/definitions/b' }, b: { type: 'string' } } }
    expect(jsonSubset(old)).toEqual({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'string' } } })
  })
})

describe('the older form', () => {
  const { properties, ...root } = openApiSchema(RICH) as { properties: Record<string, JsonObject> } & JsonObject

  test('has no key that the server would refuse', () => {
    expect(root).toEqual({ type: 'object', required: ['type'], description: 'additionalProperties: false' })
    expect(properties['type']).toEqual({ type: 'string', description: 'format: "email"' })
    expect(properties['properties']).toEqual({ type: 'string', enum: ['fixed'] })
    expect(properties['maybe']).toEqual({ type: 'string', nullable: true })
    expect(properties['either']).toEqual({ anyOf: [{ type: 'string' }, { type: 'number' }] })
    expect(properties['level']).toEqual({ type: 'string', enum: ['1', '2'], nullable: true })
    expect(properties['both']).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a'],
    })
    expect(properties['empty']).toEqual({ type: 'object' })
    expect(properties['list']).toEqual({ type: 'array', items: { type: 'string' } })
  })

  test('writes references out, and ends those that lead back to themselves', () => {
    expect(properties['tree']).toEqual({
      type: 'object',
      description: 'lost beside a reference',
      properties: { next: { type: 'object' } },
    })
    expect(openApiSchema({ $ref: '#/nowhere' })).toEqual({ type: 'object' })
    expect(openApiSchema({ $ref: 'https://elsewhere.example/schema' })).toEqual({ type: 'object' })
  })

  test('does not explode', () => {
    const $defs: Record<string, JsonObject> = { d0: { type: 'string' } }
    for (let level = 1; level < 40; level++)
      $defs[`d${level}`] = {
        type: 'object',
        properties: { a: { $ref: `#/$defs/d${level - 1}` }, b: { $ref: `#/$defs/d${level - 1}` } },
      }
    expect(JSON.stringify(openApiSchema({ $ref: '#/$defs/d39', $defs })).length).toBeLessThan(1_000_000)
  })

  test('grows by no more than a few times what it is, however much its references stand for', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`p${at}`, { $ref: '#/$defs/long' }]),
    )
    const schema = { type: 'object', properties, $defs: { long: { type: 'string', description: 'x'.repeat(10_000) } } }
    const written = JSON.stringify(openApiSchema(schema))
    expect(written).toContain('xxx')
    expect(written.length).toBeLessThan(10 * JSON.stringify(schema).length)
  })

  test('follows references to references only so far', () => {
    const $defs = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]))
    const last = { ...$defs, d50: { type: 'string' } }
    expect(openApiSchema({ $ref: '#/$defs/d40', $defs: last })).toEqual({ type: 'string' })
    expect(openApiSchema({ $ref: '#/$defs/d0', $defs: last })).toEqual({ type: 'object' })
  })
})
