import type { PageSet } from '../../page-set.ts'

export const chainPages: PageSet = {
  section: 'chains',
  routes: [
    { path: '/chains', load: () => import('./chains-page.tsx') },
    { path: '/chains/new', load: () => import('./new-chain-page.tsx') },
    { path: '/chains/$chainId', load: () => import('./chain-page.tsx') },
  ],
}
