import type { ComponentType } from 'react'
import type { SectionId } from './shell/sections.ts'

/** One address and the page behind it, loaded when it is first opened. */
export interface PageRoute {
  /** `$name` stands for one segment: `/keys/$keyId`. */
  readonly path: string
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

/** What a folder of pages/ brings: its place in the navigation and its addresses, the first being the section's own. */
export interface PageSet {
  /** Undefined for pages that only the user's menu or a link leads to. */
  readonly section?: SectionId
  readonly routes: readonly [PageRoute, ...PageRoute[]]
}
