import type { PageSet } from '../../page-set.ts'

export const aliasPages: PageSet = {
  section: 'aliases',
  routes: [
    { path: '/aliases', load: () => import('./aliases-page.tsx') },
    { path: '/aliases/new', load: () => import('./new-alias-page.tsx') },
    { path: '/aliases/one', load: () => import('./alias-page.tsx') },
  ],
}
