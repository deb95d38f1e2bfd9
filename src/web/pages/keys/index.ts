/**
 * Gateway keys: what tools present, and what each of them may. A secret is on screen only where it was just made or asked for,
 * never in the cache. Invariant: what a rule allows is computed here as the gateway computes it.
 */
import type { PageSet } from '../../page-set.ts'

export const keyPages: PageSet = {
  section: 'keys',
  routes: [
    { path: '/keys', load: () => import('./keys-page.tsx') },
    { path: '/keys/new', load: () => import('./new-key-page.tsx') },
    { path: '/keys/$keyId', load: () => import('./key-page.tsx') },
    { path: '/keys/$keyId/edit', load: () => import('./edit-key-page.tsx') },
  ],
}
