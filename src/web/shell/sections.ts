import {
  Activity,
  Blocks,
  Boxes,
  Cable,
  Gauge,
  History,
  KeyRound,
  Layers,
  ListTree,
  type LucideIcon,
  ScrollText,
  Server,
  SlidersHorizontal,
  Split,
  SquareTerminal,
  Tags,
  Wallet,
  Waypoints,
} from 'lucide-react'

/** The whole navigation in its order. Each section has a folder of pages/: its icon is part of what every first visit loads. */
export interface Section {
  readonly id: string
  readonly label: string
  /** Undefined: above all groups. */
  readonly group?: 'Routing' | 'Upstream' | 'Access' | 'System'
  readonly icon: LucideIcon
  /** After `G` it opens the section. */
  readonly letter: string
  /** More words to find it by in the palette. */
  readonly keywords?: readonly string[]
}

export const SECTIONS = [
  { id: 'home', label: 'Connect', icon: Cable, letter: 'H', keywords: ['home', 'start', 'first run', 'snippets'] },
  { id: 'overview', label: 'Overview', icon: Activity, letter: 'O', keywords: ['usage', 'cost', 'charts'] },
  { id: 'requests', label: 'Requests', icon: ListTree, letter: 'R', keywords: ['log', 'traffic', 'errors'] },
  { id: 'chains', label: 'Chains', group: 'Routing', icon: Split, letter: 'C', keywords: ['fallback', 'steps'] },
  { id: 'aliases', label: 'Aliases', group: 'Routing', icon: Tags, letter: 'L' },
  { id: 'models', label: 'Models', group: 'Routing', icon: Boxes, letter: 'M', keywords: ['catalog', 'prices'] },
  { id: 'providers', label: 'Providers', group: 'Upstream', icon: Server, letter: 'V', keywords: ['accounts'] },
  {
    id: 'custom-providers',
    label: 'Custom providers',
    group: 'Upstream',
    icon: Blocks,
    letter: 'D',
    keywords: ['own provider', 'self-hosted'],
  },
  { id: 'quotas', label: 'Quotas', group: 'Upstream', icon: Gauge, letter: 'Q' },
  { id: 'proxy-pools', label: 'Proxy pools', group: 'Upstream', icon: Waypoints, letter: 'X' },
  { id: 'keys', label: 'Keys', group: 'Access', icon: KeyRound, letter: 'K', keywords: ['api key', 'secret'] },
  { id: 'plans', label: 'Plans', group: 'Access', icon: Layers, letter: 'P', keywords: ['limits', 'rate limit'] },
  { id: 'budgets', label: 'Budgets', group: 'Access', icon: Wallet, letter: 'B', keywords: ['spending', 'forecast'] },
  { id: 'skills', label: 'Skills', group: 'Access', icon: ScrollText, letter: 'S', keywords: ['system prompt'] },
  { id: 'console', label: 'Console', group: 'System', icon: SquareTerminal, letter: 'J', keywords: ['events', 'log'] },
  { id: 'audit', label: 'Audit', group: 'System', icon: History, letter: 'A', keywords: ['who did what'] },
  { id: 'settings', label: 'Settings', group: 'System', icon: SlidersHorizontal, letter: 'I' },
] as const satisfies readonly Section[]

export type SectionId = (typeof SECTIONS)[number]['id']
