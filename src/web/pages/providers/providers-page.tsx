import { Blocks, Plus } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import { useSearch } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterChips, type FilterSpec, useClearFilters } from '../../components/filter-chips.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import type { Provider } from '../../wire.ts'
import { useAccounts, useProviders, useWeek } from './data.ts'
import { OtherProviders } from './other-providers.tsx'
import { PickProvider } from './pick-provider.tsx'
import { ProviderTable } from './provider-table.tsx'

const CAPABILITY_WORDS: Readonly<Record<string, string>> = {
  chat: 'Chat',
  embeddings: 'Embeddings',
  image: 'Images',
  tts: 'Speech',
  stt: 'Transcription',
  search: 'Search',
  fetch: 'Web fetch',
  rerank: 'Rerank',
}

const VIEWS = ['connected', 'all', 'local', 'custom'] as const
type View = (typeof VIEWS)[number]

const IN_VIEW: Readonly<Record<View, (provider: Provider) => boolean>> = {
  connected: isConnected,
  all: () => true,
  local: ({ kind }) => kind === 'local',
  custom: ({ origin }) => origin === 'custom',
}

export default function ProvidersPage() {
  const providers = useProviders()
  const picker = useRef<HTMLDialogElement>(null)
  const add = useCallback((): void => {
    picker.current?.showModal()
    picker.current?.querySelector('input')?.focus()
  }, [])
  useCommands(
    useMemo(
      () => [{ id: 'add account', group: 'Do', label: 'Add an account', icon: Plus, shortcut: 'N', run: add }] as const,
      [add],
    ),
  )
  return (
    <Page title="Providers" docs="add-a-provider">
      <Loaded query={providers} what="The providers could not be read">
        {(all) => <Lists all={all} onAdd={add} />}
      </Loaded>
      <PickProvider ref={picker} providers={providers.data ?? []} />
    </Page>
  )
}

function Lists({ all, onAdd }: { all: readonly Provider[]; onAdd: () => void }) {
  const [search, setSearch] = useSearch()
  const filters = useMemo(() => [capabilityFilter(all)], [all])
  const view = VIEWS.find((name) => name === search['view']) ?? 'connected'
  const matching = all.filter((provider) => matches(provider, search['q'], search['capability']))
  const listed = matching.filter(IN_VIEW[view])
  const others = view === 'connected' ? matching.filter((provider) => !isConnected(provider)) : []
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label="Which providers"
          value={view}
          options={VIEWS.map((name) => ({ value: name, label: viewLabel(name, all) }))}
          onChange={(name) => setSearch({ view: name === 'connected' ? null : name }, true)}
        />
        <SearchField label="Find a provider" />
        <FilterChips filters={filters} />
        <span className="flex flex-wrap gap-2 sm:ml-auto">
          <ButtonLink to="/custom-providers/new" icon={Blocks}>
            Custom provider
          </ButtonLink>
          <Button tone="primary" icon={Plus} onClick={onAdd}>
            Add account
          </Button>
        </span>
      </div>
      <Card flush>
        <Listed providers={listed} hasOthers={others.length > 0} view={view} filters={filters} onAdd={onAdd} />
      </Card>
      {others.length > 0 && <OtherProviders providers={others} words={CAPABILITY_WORDS} />}
    </div>
  )
}

interface ListedProps {
  readonly providers: readonly Provider[]
  readonly hasOthers: boolean
  readonly view: View
  readonly filters: readonly FilterSpec[]
  readonly onAdd: () => void
}

function Listed({ providers, hasOthers, view, filters, onAdd }: ListedProps) {
  const [search] = useSearch()
  const accounts = useAccounts()
  const week = useWeek()
  const clear = useClearFilters(filters)
  const isFiltered = search['q'] !== undefined || search['capability'] !== undefined
  if (providers.length > 0) {
    return <ProviderTable providers={providers} accounts={accounts.data ?? []} usage={week.data?.by_provider ?? []} />
  }
  if (isFiltered) {
    return (
      <EmptyState
        title={hasOthers ? 'No connected provider matches' : 'No provider matches'}
        action={<Button onClick={clear}>Clear search and filters</Button>}
      >
        {hasOthers
          ? 'Those below match, but have no account yet.'
          : 'Nothing in this list has this name and capability.'}
      </EmptyState>
    )
  }
  if (view === 'custom') {
    return (
      <EmptyState
        title="No custom providers yet"
        action={
          <ButtonLink to="/custom-providers/new" tone="primary" icon={Plus}>
            New custom provider
          </ButtonLink>
        }
      >
        A custom provider is any host that speaks a chat format that the gateway knows.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No provider is connected"
      action={
        <Button tone="primary" icon={Plus} onClick={onAdd}>
          Add account
        </Button>
      }
    >
      An account is a credential at a provider. Requests need at least one.
    </EmptyState>
  )
}

function isConnected({ connected, accounts }: Provider): boolean {
  return connected || accounts.total > 0
}

function matches({ id, name, capabilities }: Provider, text = '', capability?: string): boolean {
  const isNamed = [id, name.toLowerCase()].some((word) => word.includes(text.trim().toLowerCase()))
  return isNamed && (capability === undefined || capabilities.includes(capability))
}

function viewLabel(view: View, all: readonly Provider[]): string {
  const word = view.charAt(0).toUpperCase() + view.slice(1)
  return view === 'connected' || view === 'all' ? `${word} ${all.filter(IN_VIEW[view]).length}` : word
}

function capabilityFilter(all: readonly Provider[]): FilterSpec {
  const offered = [...new Set(all.flatMap(({ capabilities }) => capabilities))]
  return {
    name: 'capability',
    label: 'Capability',
    options: offered.map((value) => ({ value, label: CAPABILITY_WORDS[value] ?? value })),
  }
}
