/**
 * What models cost: the rates that count now and where each comes from, prices that operators set over them, newer ones from
 * outside, and the past priced anew. Below Models in the navigation. Invariant: nothing that changes what is charged happens
 * before its effect has been shown.
 */
import type { PageSet } from '../../page-set.ts'

export const pricePages: PageSet = {
  routes: [
    { path: '/models/prices', load: () => import('./prices-page.tsx') },
    { path: '/models/prices/set', load: () => import('./overrides-page.tsx') },
    { path: '/models/prices/new', load: () => import('./new-override-page.tsx') },
    { path: '/models/prices/newer', load: () => import('./sync-page.tsx') },
    { path: '/models/prices/past', load: () => import('./reprice-page.tsx') },
  ],
}
