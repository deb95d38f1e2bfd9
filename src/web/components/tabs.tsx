import * as Radix from '@radix-ui/react-tabs'
import type { ReactNode } from 'react'
import { useSearch } from '../address.ts'

export interface TabSpec {
  readonly id: string
  readonly label: string
  readonly count?: number
  readonly content: ReactNode
}

/** Parts of one object. Which one is open is in the address (`?tab=`), the first without. */
export function Tabs({
  label,
  tabs,
  name = 'tab',
}: {
  label: string
  tabs: readonly [TabSpec, ...TabSpec[]]
  name?: string
}) {
  const [search, setSearch] = useSearch()
  const first = tabs[0].id
  const open = tabs.some(({ id }) => id === search[name]) ? search[name] : first
  return (
    <Radix.Root value={open ?? first} onValueChange={(id) => setSearch({ [name]: id === first ? null : id })}>
      <Radix.List aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map(({ id, label, count }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="touch -mb-px h-9 border-b-2 border-transparent text-dense whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink"
          >
            {label}
            {count !== undefined && <span className="ml-1.5 text-caption font-normal text-muted">{count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content key={id} value={id} className="pt-4 outline-offset-4">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
