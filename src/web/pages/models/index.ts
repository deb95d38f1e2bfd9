import type { PageSet } from '../../page-set.ts'

/** A model's name may hold slashes, so which one is shown stands in the query. */
export const modelPages: PageSet = {
  section: 'models',
  routes: [
    { path: '/models', load: () => import('./models-page.tsx') },
    { path: '/models/one', load: () => import('./model-page.tsx') },
  ],
}
