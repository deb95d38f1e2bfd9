import type { PageSet } from '../../page-set.ts'

export const profilePages: PageSet = {
  routes: [{ path: '/profile', load: () => import('./profile-page.tsx') }],
}
