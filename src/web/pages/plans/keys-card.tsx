import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { accountStatus, Status } from '../../components/status.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { countText } from '../../format/count.ts'
import type { Key, Plan } from '../../wire.ts'
import { useKeysOf } from './data.ts'

const COLUMNS: readonly Column<Key>[] = [
  { id: 'name', header: 'Name', cell: (key) => key.name },
  { id: 'status', header: 'Status', cell: (key) => <Status name={accountStatus(key.status)} /> },
  { id: 'spend', header: 'Cost', align: 'end', cell: (key) => <Money usd={key.spend_usd} /> },
]

/** Who is limited by the plan, the last made first. */
export function KeysCard({ plan }: { plan: Plan }) {
  const query = useKeysOf(plan.id)
  return (
    <Card
      title="Keys"
      flush
      action={<TextLink to={`/keys?plan_id=${encodeURIComponent(plan.id)}`}>All {countText(plan.keys_count)}</TextLink>}
    >
      <Loaded query={query} what="The keys could not be read">
        {({ data }) => (
          <DataTable
            label="Keys on this plan"
            rows={data}
            columns={COLUMNS}
            hrefOf={({ id }) => `/keys/${encodeURIComponent(id)}`}
            empty={
              <EmptyState title="No key is on it">
                A key is put on a plan when it is made or edited. Until then the plan limits nobody.
              </EmptyState>
            }
          />
        )}
      </Loaded>
    </Card>
  )
}
