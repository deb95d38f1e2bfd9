import type { PageSet } from '../../page-set.ts'

export const homePages: PageSet = {
  section: 'home',
  routes: [{ path: '/', load: () => import('./home-page.tsx') }],
}
