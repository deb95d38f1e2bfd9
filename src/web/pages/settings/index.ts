/**
 * Settings: every field that the server enforces, in one form, and the switch that stops all spending. The catalogue of fields
 * and their defaults is in fields.ts. Invariant: only what was changed is sent, and what equals its default is sent as `null`.
 */
import type { PageSet } from '../../page-set.ts'

export const settingsPages: PageSet = {
  section: 'settings',
  routes: [{ path: '/settings', load: () => import('./settings-page.tsx') }],
}
