/**
 * Plans: what the keys on them may use, and how fast. Invariant: a limit is said here in the words in which a key's page says it, so
 * that nobody has to compare two.
 */
import type { PageSet } from '../../page-set.ts'

export const planPages: PageSet = {
  section: 'plans',
  routes: [
    { path: '/plans', load: () => import('./plans-page.tsx') },
    { path: '/plans/new', load: () => import('./new-plan-page.tsx') },
    { path: '/plans/$planId', load: () => import('./plan-page.tsx') },
    { path: '/plans/$planId/edit', load: () => import('./edit-plan-page.tsx') },
  ],
}
