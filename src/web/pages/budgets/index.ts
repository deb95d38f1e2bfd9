/**
 * Budgets: what may be spent, by whom and in which time, how that stands and what it will come to. Invariant: moments are told in
 * the budget's own time zone, since that is where its periods begin.
 */
import type { PageSet } from '../../page-set.ts'

export const budgetPages: PageSet = {
  section: 'budgets',
  routes: [
    { path: '/budgets', load: () => import('./budgets-page.tsx') },
    { path: '/budgets/new', load: () => import('./new-budget-page.tsx') },
    { path: '/budgets/$budgetId', load: () => import('./budget-page.tsx') },
    { path: '/budgets/$budgetId/edit', load: () => import('./edit-budget-page.tsx') },
  ],
}
