import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useApi, useToasts } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Tokens } from '../../components/quantity.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { useSearch } from '../../address.ts'
import { plural } from '../../format/count.ts'
import { addressOf } from '../../resource.ts'
import type { Model, Provider } from '../../wire.ts'
import { useModels, useRenew } from './data.ts'

interface SyncOutcome {
  readonly added: number
  readonly removed: number
  readonly total: number
}

const COLUMNS: readonly Column<Model>[] = [
  { id: 'id', header: 'Model', sort: 'id', cell: (model) => <Name model={model} /> },
  {
    id: 'context',
    header: 'Context',
    sort: 'context',
    align: 'end',
    from: 'sm',
    cell: ({ context }) => <Tokens count={context} />,
  },
  {
    id: 'max_output',
    header: 'Longest answer',
    align: 'end',
    from: 'lg',
    cell: ({ max_output }) => <Tokens count={max_output} />,
  },
  { id: 'input', header: 'Input', align: 'end', cell: ({ price }) => <PerMillion price={price} of="input" /> },
  { id: 'output', header: 'Output', align: 'end', cell: ({ price }) => <PerMillion price={price} of="output" /> },
  {
    id: 'cache_read',
    header: 'Cache read',
    align: 'end',
    from: 'lg',
    cell: ({ price }) => <PerMillion price={price} of="cache_read" />,
  },
]

/** What the provider offers, with what a million tokens cost. */
export function ModelsCard({ provider }: { provider: Provider }) {
  const list = useListAddress()
  const models = useModels(provider.id, list.query)
  const [, setSearch] = useSearch()
  return (
    <Card title="Models" aside="dollars per million tokens" action={<SyncAct provider={provider} />} flush>
      {(provider.models_count > 10 || list.isFiltered) && (
        <div className="border-b border-line px-4 py-2.5">
          <SearchField label="Find a model" />
        </div>
      )}
      <Loaded query={models} what="The models could not be read">
        {({ data, metadata }) => (
          <DataTable
            label="Models"
            rows={data}
            columns={COLUMNS}
            order={list}
            page={metadata}
            onOffset={list.onOffset}
            empty={
              list.isFiltered ? (
                <EmptyState
                  title="No model matches"
                  action={<Button onClick={() => setSearch({ q: null, offset: null })}>Clear the search</Button>}
                />
              ) : (
                <EmptyState title="No models known">
                  {provider.supports_list
                    ? 'They are known once an active account has asked for the list. Requests may name any model all the same.'
                    : 'This provider has no list. Requests may name any model of it.'}
                </EmptyState>
              )
            }
          />
        )}
      </Loaded>
    </Card>
  )
}

function SyncAct({ provider }: { provider: Provider }) {
  const api = useApi()
  const toasts = useToasts()
  const renew = useRenew()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  if (!provider.supports_list || provider.kind === 'demo') return null
  async function sync(): Promise<void> {
    setBusy(true)
    setError(undefined)
    try {
      const path = `${addressOf('/v1/providers', provider.id)}/models/sync`
      const { added, removed, total } = await api.post<SyncOutcome>(path)
      toasts.done(`${plural(total, 'model')}: ${added} new, ${removed} gone`)
      await renew()
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const isUnasked = provider.accounts.active + provider.accounts.cooldown === 0
  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      <SyncedAt provider={provider} />
      <Button
        small
        icon={RefreshCw}
        busy={busy}
        onClick={() => void sync()}
        {...(isUnasked && { disabledBecause: 'Needs an active account' })}
      >
        Ask for the list
      </Button>
      {error !== undefined && (
        <Callout tone="danger" alert>
          {reasonOf(error)} The list stays as it was.
        </Callout>
      )}
    </span>
  )
}

/** When the list was last asked for, where the server tells. */
function SyncedAt({ provider }: { provider: Provider & { readonly models_synced_at?: string | null } }) {
  if (provider.models_synced_at === undefined || provider.models_synced_at === null) return null
  return (
    <span className="text-caption text-muted">
      asked <RelativeTime at={provider.models_synced_at} />
    </span>
  )
}

function Name({ model: { id, name, enabled } }: { model: Model }) {
  return (
    <span className="grid">
      <code className="break-all">{id}</code>
      <span className="text-caption text-muted">
        {name !== id && name}
        {!enabled && (name === id ? 'no account may serve it' : ' · no account may serve it')}
      </span>
    </span>
  )
}

/** Prices are dollars already; zero is free, none is unknown. */
function PerMillion({ price, of }: { price: Model['price']; of: 'input' | 'output' | 'cache_read' }) {
  if (price === null) return <span className="text-faint">unpriced</span>
  const usd = price[of]
  if (usd === 0) return price.input === 0 && price.output === 0 ? <>free</> : <>–</>
  return <>${perMillionText(usd)}</>
}

/** Two decimals at least, and as many more as the price has: `2.00`, `0.075`. */
function perMillionText(usd: number): string {
  const exact = String(Number(usd.toPrecision(6)))
  return (exact.split('.')[1]?.length ?? 0) > 2 ? exact : usd.toFixed(2)
}
