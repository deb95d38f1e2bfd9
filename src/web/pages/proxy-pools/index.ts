import type { PageSet } from '../../page-set.ts'

export const proxyPoolPages: PageSet = {
  section: 'proxy-pools',
  routes: [
    { path: '/proxy-pools', load: () => import('./proxy-pools-page.tsx') },
    { path: '/proxy-pools/new', load: () => import('./new-proxy-pool-page.tsx') },
    { path: '/proxy-pools/$poolId', load: () => import('./proxy-pool-page.tsx') },
  ],
}
