import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type Ref, useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Input } from '../../components/input.tsx'
import type { Provider } from '../../wire.ts'
import { ProviderBadges, ProviderMark } from './provider-mark.tsx'

export interface PickProviderProps {
  readonly ref: Ref<HTMLDialogElement>
  readonly providers: readonly Provider[]
}

/** Whose account is added: the one question before the form, which is the provider's own. */
export function PickProvider({ ref, providers }: PickProviderProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const offered = providers.filter(({ kind }) => kind !== 'demo')
  const found = offered.filter(({ id, name }) => id.includes(wanted) || name.toLowerCase().includes(wanted))
  return (
    <Dialog ref={ref} title="Add an account at" onClose={() => setText('')}>
      {/* The ring of the focused field needs room above it. */}
      <div className="pt-1">
        <Input
          type="search"
          icon={Search}
          aria-label="Find a provider"
          placeholder="Find a provider"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <ul aria-label="Providers" className="mt-2 -mx-2 grid max-h-90 overflow-y-auto">
        {found.map((provider) => (
          <li key={provider.id}>
            <Link
              to={`/providers/${provider.id}/add`}
              className="touch flex items-center gap-3 rounded-control px-2 py-1.5 text-dense hover:bg-hover focus-visible:-outline-offset-2"
            >
              <ProviderMark name={provider.name} />
              <span className="font-medium">{provider.name}</span>
              <ProviderBadges provider={provider} />
            </Link>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p className="px-1 py-4 text-dense text-muted">
          No provider has this name. A host of your own is a{' '}
          <Link to="/custom-providers/new" className="text-accent hover:underline">
            custom provider
          </Link>
          .
        </p>
      )}
    </Dialog>
  )
}
