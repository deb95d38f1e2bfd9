import { History, Plus, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSearch } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { type Column, DataTable, RowControl } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ScopeName } from '../../components/scope-name.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { ClockTime } from '../../components/time.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { overrideText } from '../../price-words.ts'
import { pricingOverrides, useRemoveOverride } from '../../prices.ts'
import { Page } from '../../shell/page.tsx'
import type { PricingOverride } from '../../wire.ts'

const TRAIL = [
  { label: 'Models', to: '/models' },
  { label: 'Prices', to: '/models/prices' },
] as const

/** What is to be deleted; a new object each time it is asked for. */
interface Leaving {
  readonly override: PricingOverride
}

/** Prices that were set here, in the order in which they count. */
export default function OverridesPage() {
  const list = useListAddress()
  const query = pricingOverrides.useList({ ...list.query, ...(list.sort === undefined && { sort: 'priority' }) })
  const [leaving, setLeaving] = useState<Leaving>()
  const columns = useMemo(() => columnsFor((override) => setLeaving({ override })), [])
  return (
    <Page
      title="Prices set here"
      docs="prices"
      trail={TRAIL}
      actions={
        <ButtonLink to="/models/prices/new" icon={Plus} tone="primary">
          Set a price
        </ButtonLink>
      }
    >
      <p className="mb-3 max-w-180 text-dense text-muted">
        Of several that match a request the most specific counts: account, key, plan, provider, everybody; then an exact
        name before a pattern, then the newest. The first of this list wins.
      </p>
      <div className="mb-3">
        <SearchField label="Model, id or note" />
      </div>
      <Card flush>
        <Loaded query={query} what="The prices could not be read">
          {({ data, metadata }) => (
            <DataTable
              label="Prices set here"
              rows={data}
              columns={columns}
              order={list}
              page={metadata}
              onOffset={list.onOffset}
              empty={<NoOverrides isFiltered={list.isFiltered} />}
            />
          )}
        </Loaded>
      </Card>
      {leaving && <Remove leaving={leaving} />}
    </Page>
  )
}

function columnsFor(onRemove: (override: PricingOverride) => void): readonly Column<PricingOverride>[] {
  return [
    {
      id: 'model',
      header: 'Model',
      sort: 'model',
      cell: ({ model }) => <span className="font-mono text-dense">{model}</span>,
    },
    { id: 'scope', header: 'For', sort: 'priority', cell: (override) => <ScopeName override={override} /> },
    { id: 'price', header: 'Price', cell: overrideText },
    { id: 'note', header: 'Note', from: 'lg', cell: ({ currency_note: note }) => note || '–' },
    { id: 'span', header: 'Counts', from: 'md', sort: 'effective_from', cell: (override) => <Span {...override} /> },
    {
      id: 'acts',
      header: 'Acts',
      align: 'end',
      cell: (override) => (
        <RowControl>
          <IconButton
            icon={Trash2}
            label={`Delete the price of ${override.model}`}
            onClick={() => onRemove(override)}
          />
        </RowControl>
      ),
    },
  ]
}

function Span({ effective_from: from, effective_to: to }: Pick<PricingOverride, 'effective_from' | 'effective_to'>) {
  return (
    <span className="text-muted">
      from <ClockTime at={from} />
      {to !== null && (
        <>
          {' '}
          to <ClockTime at={to} />
        </>
      )}
    </span>
  )
}

/** Opens whenever another one is asked about. */
function Remove({ leaving }: { leaving: Leaving }) {
  const { override } = leaving
  const dialog = useRef<HTMLDialogElement>(null)
  const remove = useRemoveOverride()
  const toasts = useToasts()
  useEffect(() => dialog.current?.showModal(), [leaving])
  const onConfirm = async () => {
    await remove.mutateAsync(override.id)
    toasts.done('Deleted. It counts from the next request.')
  }
  return (
    <ConfirmDestructive
      dialog={dialog}
      title="Delete this price?"
      act="Delete"
      consequences={[
        {
          icon: Trash2,
          tone: 'caution',
          text: (
            <>
              Requests to <code>{override.model}</code> no longer cost {overrideText(override)}, but what counts without
              it.
            </>
          ),
        },
        { icon: History, tone: 'plain', text: 'What was charged until now stays, unless you price the past anew.' },
      ]}
      onConfirm={onConfirm}
    />
  )
}

function NoOverrides({ isFiltered }: { isFiltered: boolean }) {
  const [, setSearch] = useSearch()
  if (isFiltered) {
    const clear = () => setSearch({ q: null, offset: null })
    return <EmptyState title="No price matches" action={<Button onClick={clear}>Clear the search</Button>} />
  }
  return (
    <EmptyState
      title="No prices set here"
      action={
        <ButtonLink to="/models/prices/new" icon={Plus}>
          Set a price
        </ButtonLink>
      }
    >
      The catalogue’s prices count. Set your own where yours differ, or where nobody knows one.
    </EmptyState>
  )
}
