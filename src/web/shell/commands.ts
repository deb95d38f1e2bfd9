import type { LucideIcon } from 'lucide-react'
import { useEffect } from 'react'
import { useApp } from '../app-context.ts'
import { Store } from '../store.ts'

/** Something the palette offers. */
export interface Command {
  /** Unique while it is offered. */
  readonly id: string
  readonly group: 'Go to' | 'Show' | 'Do'
  readonly label: string
  /** Beside the label, fainter. */
  readonly detail?: string
  /** More words to find it by. */
  readonly keywords?: readonly string[]
  readonly icon?: LucideIcon
  /** A single letter that runs it on this page, such as `N`; shown in the palette and in the list of shortcuts. */
  readonly shortcut?: string
  readonly run: () => void
}

/** What the pages on screen offer, beside the navigation that is always there. */
export class Commands {
  readonly offered = new Store<readonly Command[]>([])

  offer(commands: readonly Command[]): () => void {
    this.offered.set([...this.offered.get(), ...commands])
    return () => this.offered.set(this.offered.get().filter((command) => !commands.includes(command)))
  }
}

/** Offers acts while the component is mounted. Give it the same array until something in it changes (`useMemo`). */
export function useCommands(commands: readonly Command[]): void {
  const { commands: registry } = useApp()
  useEffect(() => registry.offer(commands), [registry, commands])
}
