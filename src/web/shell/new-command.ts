import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useGo } from '../address.ts'
import { useCommands } from './commands.ts'

/** Offers to make a new one of what a page lists. `what`: `key`; `to`: the address of the form. */
export function useNewCommand(what: string, to: string): void {
  const go = useGo()
  useCommands(
    useMemo(
      () => [{ id: `new ${what}`, group: 'Do', label: `New ${what}`, icon: Plus, shortcut: 'N', run: () => go(to) }],
      [what, to, go],
    ),
  )
}
