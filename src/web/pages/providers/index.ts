import type { PageSet } from '../../page-set.ts'

export const providerPages: PageSet = {
  section: 'providers',
  routes: [
    { path: '/providers', load: () => import('./providers-page.tsx') },
    { path: '/providers/$providerId', load: () => import('./provider-page.tsx') },
    { path: '/providers/$providerId/add', load: () => import('./add-account-page.tsx') },
    { path: '/providers/$providerId/add-many', load: () => import('./add-many-page.tsx') },
    { path: '/providers/$providerId/accounts/$accountId', load: () => import('./account-page.tsx') },
    { path: '/providers/$providerId/accounts/$accountId/edit', load: () => import('./edit-account-page.tsx') },
  ],
}
