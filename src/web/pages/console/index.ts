import type { PageSet } from '../../page-set.ts'

export const consolePages: PageSet = {
  section: 'console',
  routes: [{ path: '/console', load: () => import('./console-page.tsx') }],
}
