import { ListFilter, X } from 'lucide-react'
import { useState } from 'react'
import { useSearch } from '../address.ts'
import { clockText } from '../format/time.ts'
import { Button } from './button.tsx'
import { menuItemClass } from './menu.tsx'
import { Input } from './input.tsx'
import { Popover } from './popover.tsx'

/** A filter of the API: its query name, its word, and what can be chosen. */
export interface FilterSpec {
  readonly name: string
  readonly label: string
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** What else it takes: free text beside the options, or a moment. Without either it takes text. */
  readonly type?: 'text' | 'time'
}

/** Filters as chips; all of them are in the address, so that a view can be linked and gone back to. */
export function FilterChips({ filters }: { filters: readonly FilterSpec[] }) {
  const [search, setSearch] = useSearch()
  const [isOpen, setOpen] = useState(false)
  const active = filters.filter(({ name }) => search[name] !== undefined)
  const choose = (name: string, value: string): void => {
    setSearch({ [name]: value, offset: null }, true)
    setOpen(false)
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      {active.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          value={search[filter.name] ?? ''}
          onClear={() => setSearch({ [filter.name]: null, offset: null }, true)}
        />
      ))}
      <Popover
        label="Add a filter"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button tone="quiet" icon={ListFilter}>
            Filter
          </Button>
        }
      >
        <FilterMenu filters={filters.filter((filter) => !active.includes(filter))} onChoose={choose} />
      </Popover>
    </div>
  )
}

function Chip({ filter, value, onClear }: { filter: FilterSpec; value: string; onClear: () => void }) {
  const shown =
    filter.type === 'time' ? momentText(value) : filter.options?.find((option) => option.value === value)?.label
  return (
    <span className="inline-flex h-8 items-stretch overflow-hidden rounded-control border border-line bg-surface text-dense">
      <span className="flex items-center gap-1 px-2.5 text-muted">
        {filter.label} {filter.type !== 'time' && 'is'}{' '}
        <strong className="max-w-56 truncate font-semibold text-ink">{shown ?? value}</strong>
      </span>
      <button
        type="button"
        aria-label={`Remove the filter ${filter.label}`}
        onClick={onClear}
        className="grid w-7 place-items-center border-l border-line text-muted hover:bg-hover hover:text-ink focus-visible:-outline-offset-2"
      >
        <X aria-hidden="true" size={13} />
      </button>
    </span>
  )
}

interface FilterMenuProps {
  readonly filters: readonly FilterSpec[]
  readonly onChoose: (name: string, value: string) => void
}

function FilterMenu({ filters, onChoose }: FilterMenuProps) {
  const [chosen, setChosen] = useState<FilterSpec>()
  if (chosen === undefined) {
    return filters.length === 0 ? (
      <p className="px-2.5 py-1.5 text-dense text-muted">Every filter is set.</p>
    ) : (
      filters.map((filter) => (
        <button key={filter.name} type="button" className={menuItemClass()} onClick={() => setChosen(filter)}>
          {filter.label}
        </button>
      ))
    )
  }
  const { type = 'text', options = [] } = chosen
  const takesMore = chosen.type !== undefined || chosen.options === undefined
  return (
    <>
      {takesMore && <FreeChoice filter={chosen} type={type} onChoose={onChoose} />}
      {options.map(({ value, label }) => (
        <button key={value} type="button" className={menuItemClass()} onClick={() => onChoose(chosen.name, value)}>
          <span className="max-w-80 truncate">{label}</span>
        </button>
      ))}
    </>
  )
}

interface FreeChoiceProps {
  readonly filter: FilterSpec
  readonly type: 'text' | 'time'
  readonly onChoose: (name: string, value: string) => void
}

function FreeChoice({ filter, type, onChoose }: FreeChoiceProps) {
  const [text, setText] = useState('')
  const value = type === 'time' && text !== '' ? new Date(text).toISOString() : text.trim()
  return (
    <form
      className="flex w-64 gap-2 p-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (value !== '') onChoose(filter.name, value)
      }}
    >
      <Input
        autoFocus
        type={type === 'time' ? 'datetime-local' : 'text'}
        aria-label={filter.label}
        placeholder={filter.label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" tone="primary">
        Set
      </Button>
    </form>
  )
}

/** What is not a moment stands as it is: the API says what is wrong with it. */
function momentText(value: string): string {
  const at = new Date(value)
  return Number.isNaN(at.getTime()) ? value : clockText(at, new Date())
}

/** Takes all of these out of the address: for "no results with these filters". */
export function useClearFilters(filters: readonly FilterSpec[]): () => void {
  const [, setSearch] = useSearch()
  return () =>
    setSearch(Object.fromEntries(['q', 'offset', ...filters.map(({ name }) => name)].map((name) => [name, null])), true)
}
