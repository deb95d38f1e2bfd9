import type { PageSet } from '../../page-set.ts'

export const customProviderPages: PageSet = {
  section: 'custom-providers',
  routes: [
    { path: '/custom-providers', load: () => import('./custom-providers-page.tsx') },
    { path: '/custom-providers/new', load: () => import('./new-custom-provider-page.tsx') },
    { path: '/custom-providers/$customId', load: () => import('./custom-provider-page.tsx') },
  ],
}
