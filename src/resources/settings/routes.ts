import { Elysia } from 'elysia'
import { single, singleSchema } from '../../http/envelope.ts'
import { expectedVersion } from '../../http/if-match.ts'
import { granted } from '../../http/refusal.ts'
import type { Authenticated } from '../auth/authenticated.ts'
import { SettingsBody, SettingsWire } from './schema.ts'
import type { SettingsService } from './service.ts'
import { effective } from './settings.ts'
import type { StoredSettings } from './store.ts'

interface Deps {
  readonly authenticated: Authenticated
  readonly settings: SettingsService
}

export function settingsRoutes({ authenticated, settings }: Deps) {
  return new Elysia({ normalize: false })
    .use(authenticated)
    .get('/v1/settings', async () => shown(await settings.get()), { response: singleSchema(SettingsWire) })
    .put(
      '/v1/settings',
      async ({ body, caller, request }) =>
        shown(granted(await settings.replace(body, granted(expectedVersion(request.headers)), caller)), 'changed'),
      { body: SettingsBody, response: singleSchema(SettingsWire) },
    )
    .patch(
      '/v1/settings',
      async ({ body, caller, request }) =>
        shown(granted(await settings.patch(body, granted(expectedVersion(request.headers)), caller)), 'changed'),
      { body: SettingsBody, response: singleSchema(SettingsWire) },
    )
}

/** None of today's settings needs a restart; `metadata.restart_required` will name those that do. */
function shown({ overrides, createdAtMs, updatedAtMs, version }: StoredSettings, message?: string) {
  const times = { created_at: new Date(createdAtMs).toISOString(), updated_at: new Date(updatedAtMs).toISOString() }
  return single({ id: 'settings' as const, ...times, version, ...effective(overrides) }, message, {
    restart_required: [],
  })
}
