import type { PageSet } from '../../page-set.ts'

export const quotaPages: PageSet = {
  section: 'quotas',
  routes: [{ path: '/quotas', load: () => import('./quotas-page.tsx') }],
}
