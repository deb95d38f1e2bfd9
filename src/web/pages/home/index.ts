/**
 * The way in: `/` leads to where it is worth looking, `/connect` takes a newcomer from nothing to a first answer. Nothing here
 * stores a secret: a new key lives in the memory of the page that made it. Invariant: each step says what the server says, so
 * that coming back later continues where things stand.
 */
import type { PageSet } from '../../page-set.ts'

export const homePages: PageSet = {
  section: 'home',
  routes: [
    { path: '/connect', load: () => import('./connect-page.tsx') },
    { path: '/', load: () => import('./home-page.tsx') },
  ],
}
