/** The wire shapes of adding many accounts at once. */
import { type Static, Type } from '@sinclair/typebox'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { BulkItem } from './bulk.ts'
import { CredentialsField } from './fields.ts'
import { ReportShape, reportToWire } from './report.ts'
import { AccountSchema, CreateAccountSchema, toWire } from './schema.ts'

const ITEMS_MAX = 100

const { provider, name, credentials: _, ...common } = CreateAccountSchema.properties

const Item = Type.Object({ name, credentials: Type.Optional(CredentialsField) }, CLOSED)

export const BulkSchema = Type.Object(
  {
    provider,
    items: Type.Array(Item, { minItems: 1, maxItems: ITEMS_MAX }),
    defaults: Type.Optional(Type.Object(common, { ...CLOSED, description: 'what all of them have in common' })),
    test: Type.Optional(
      Type.Boolean({ description: 'test each one that was created, as long as that takes no minute' }),
    ),
  },
  CLOSED,
)
export type BulkDraft = Static<typeof BulkSchema>

const BulkItemSchema = Type.Object(
  {
    index: Type.Integer({ description: 'in `items` of the request' }),
    status: choice(['created', 'duplicate', 'invalid']),
    account: nullable(AccountSchema),
    test: nullable(ReportShape),
    message: nullable(Type.String()),
    errors: Type.Record(Type.String(), Type.Array(Type.String())),
  },
  CLOSED,
)

const Count = Type.Integer({ minimum: 0 })

export const BulkOutcomeSchema = Type.Object(
  { created: Count, duplicates: Count, invalid: Count, items: Type.Array(BulkItemSchema) },
  CLOSED,
)

export function bulkToWire(items: readonly BulkItem[], nowMs: number): Static<typeof BulkOutcomeSchema> {
  const count = (status: BulkItem['status']) => items.filter((item) => item.status === status).length
  return {
    created: count('created'),
    duplicates: count('duplicate'),
    invalid: count('invalid'),
    items: items.map((item, index) => ({ index, ...itemToWire(item, nowMs) })),
  }
}

function itemToWire(item: BulkItem, nowMs: number) {
  if (item.status === 'created') {
    const test = item.report && reportToWire(item.report)
    return { status: item.status, account: toWire(item.account, nowMs), test, message: null, errors: {} }
  }
  const errors = Object.fromEntries(Object.entries(item.errors).map(([field, messages]) => [field, [...messages]]))
  return { status: item.status, account: null, test: null, message: item.message, errors }
}

export const SwitchedSchema = Type.Object({ changed: Count }, CLOSED)
