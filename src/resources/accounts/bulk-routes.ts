import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { counted } from '../../core/counted.ts'
import type { Clock } from '../../core/clock.ts'
import { deleted, DeletedSchema, NoFieldsSchema, single, singleSchema } from '../../http/envelope.ts'
import { granted } from '../../http/refusal.ts'
import type { Caller } from '../auth/actor.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import type { BulkAccounts } from './bulk.ts'
import { BulkOutcomeSchema, BulkSchema, bulkToWire, SwitchedSchema } from './bulk-schema.ts'
import type { Removable } from './store.ts'

interface Deps {
  readonly bulkAccounts: BulkAccounts
  readonly authenticated: Authenticated
  readonly clock: Clock
}

const ById = Type.Object({ id: Type.String() })

/** What is done to many accounts of one provider at once. */
export function bulkAccountRoutes({ bulkAccounts, authenticated, clock }: Deps) {
  const switchAll = async (id: string, enabled: boolean, caller: Caller) => {
    const changed = granted(await bulkAccounts.switchAll(id, enabled, caller))
    return single({ changed }, `${enabled ? 'enabled' : 'disabled'} ${counted(changed, 'account')}`)
  }
  const remove = async (id: string, which: Removable, caller: Caller) =>
    deleted(`deleted ${counted(granted(await bulkAccounts.remove(id, which, caller)), 'account')}`)
  const switching = { params: ById, body: NoFieldsSchema, response: singleSchema(SwitchedSchema) }
  const removing = { params: ById, response: DeletedSchema }
  return new Elysia({ normalize: false })
    .use(authenticated)
    .post(
      '/v1/accounts/bulk',
      async ({ body, caller }) => single(bulkToWire(granted(await bulkAccounts.add(body, caller)), clock.nowMs())),
      { body: BulkSchema, response: singleSchema(BulkOutcomeSchema) },
    )
    .post(
      '/v1/providers/:id/accounts/disable-all',
      ({ params, caller }) => switchAll(params.id, false, caller),
      switching,
    )
    .post(
      '/v1/providers/:id/accounts/enable-all',
      ({ params, caller }) => switchAll(params.id, true, caller),
      switching,
    )
    .delete(
      '/v1/providers/:id/accounts/disabled',
      ({ params, caller }) => remove(params.id, 'disabled', caller),
      removing,
    )
    .delete('/v1/providers/:id/accounts/all', ({ params, caller }) => remove(params.id, 'all', caller), removing)
}
