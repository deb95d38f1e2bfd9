import type { PageSet } from '../../page-set.ts'

export const auditPages: PageSet = {
  section: 'audit',
  routes: [{ path: '/audit', load: () => import('./audit-page.tsx') }],
}
