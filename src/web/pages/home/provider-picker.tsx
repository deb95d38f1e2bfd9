import { ChevronRight, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { Input } from '../../components/input.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { resource } from '../../resource.ts'
import type { Provider } from '../../wire.ts'

/** Providers have neither versions nor writes: only the list is used. */
const providers = resource<Provider & { readonly version: number }, never, never>('/v1/providers')
const LIMIT = 100

export interface ProviderPickerProps {
  /** The reader has asked for it: typing begins at once. */
  readonly autoFocus: boolean
  readonly onPick: (provider: Provider) => void
}

/** Which provider an account is at: a search and what it finds. Enter in the search takes the first. */
export function ProviderPicker({ autoFocus, onPick }: ProviderPickerProps) {
  const [text, setText] = useState('')
  const query = providers.useList({ q: useDeferredValue(text.trim()), limit: LIMIT })
  const found = (query.data?.data ?? []).filter(({ kind }) => kind !== 'demo')
  const [first] = found
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (first !== undefined) onPick(first)
      }}
    >
      <Field label="Provider">
        <Input
          type="search"
          icon={Search}
          autoFocus={autoFocus}
          placeholder="Search by name"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <Loaded query={query} what="The providers could not be read">
        {() =>
          found.length === 0 ? (
            <p className="mt-3 flex flex-wrap items-center gap-2 text-dense text-muted">
              No provider is called “{text.trim()}”.
              <Button small onClick={() => setText('')}>
                Clear the search
              </Button>
            </p>
          ) : (
            <ul aria-label="Providers" className="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-3">
              {found.map((provider) => (
                <li key={provider.id}>
                  <ProviderButton provider={provider} onPick={() => onPick(provider)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </form>
  )
}

function ProviderButton({ provider, onPick }: { provider: Provider; onPick: () => void }) {
  return (
    <button
      type="button"
      onClick={onPick}
      className="touch flex h-10 w-full items-center gap-2 rounded-control border border-line bg-surface pr-2 pl-3 text-left text-dense transition-colors duration-[120ms] hover:bg-hover"
    >
      <span className="min-w-0 truncate font-medium">{provider.name}</span>
      {provider.kind === 'local' && <Badge>local</Badge>}
      {provider.origin === 'custom' && <Badge>own</Badge>}
      <ChevronRight aria-hidden="true" size={16} strokeWidth={1.75} className="ml-auto shrink-0 text-muted" />
    </button>
  )
}
