/**
 * Skills: the list, the editor, uploads of SKILL.md and where a skill goes. What a skill does to a request is the gateway's
 * business; these pages count and explain it. Invariant: an uploaded document fills a form, and nothing is saved unseen.
 */
import type { PageSet } from '../../page-set.ts'

export const skillPages: PageSet = {
  section: 'skills',
  routes: [
    { path: '/skills', load: () => import('./skills-page.tsx') },
    { path: '/skills/new', load: () => import('./new-skill-page.tsx') },
    { path: '/skills/$skillId', load: () => import('./skill-page.tsx') },
  ],
}
