import type { PageSet } from '../page-set.ts'
import { type Section, SECTIONS } from './sections.ts'

/** A section that this build has, with its address. */
export interface Destination extends Section {
  readonly to: string
}

export const GROUPS = [undefined, 'Routing', 'Upstream', 'Access', 'System'] as const

/** The registered sections in the navigation's order, whatever order their folders are listed in. */
export function destinationsOf(pages: readonly PageSet[]): readonly Destination[] {
  return SECTIONS.flatMap((section) => {
    const set = pages.find((candidate) => candidate.section === section.id)
    return set === undefined ? [] : [{ ...section, to: set.routes[0].path }]
  })
}

/** Is `path` the destination or below it? */
export function isWithin(path: string, { to }: Destination): boolean {
  return path === to || (to !== '/' && path.startsWith(`${to}/`))
}
