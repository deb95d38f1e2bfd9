import type { PageSet } from '../../page-set.ts'

export const requestPages: PageSet = {
  section: 'requests',
  routes: [
    { path: '/requests', load: () => import('./requests-page.tsx') },
    { path: '/requests/$requestId', load: () => import('./request-page.tsx') },
  ],
}
