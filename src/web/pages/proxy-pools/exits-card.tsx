import { FlaskConical } from 'lucide-react'
import { SECOND_MS } from '../../../core/duration.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Duration } from '../../components/quantity.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { spanText } from '../../format/time.ts'
import type { ProxyPool } from '../../wire.ts'
import { ExitState } from './exit-state.tsx'

type Status = ProxyPool['status'][number]
interface Row extends Status {
  readonly id: string
  readonly weight: number
  readonly enabled: boolean
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'exit', header: 'Exit', cell: (row) => <Exit row={row} /> },
  { id: 'state', header: 'State', from: 'sm', cell: (row) => <State row={row} /> },
  { id: 'latency', header: 'Latency', align: 'end', cell: ({ latency_ms }) => <Duration ms={latency_ms} /> },
  {
    id: 'outside',
    header: 'Seen outside as',
    from: 'md',
    cell: ({ exit_ip, country }) =>
      exit_ip === null ? (
        <span className="text-faint">–</span>
      ) : (
        <>
          <code>{exit_ip}</code>
          {country !== null && <span className="text-muted"> {country}</span>}
        </>
      ),
  },
  {
    id: 'checked',
    header: 'Checked',
    align: 'end',
    from: 'lg',
    cell: ({ checked_at }) => (
      <span className="text-muted">
        <RelativeTime at={checked_at} />
      </span>
    ),
  },
]

export interface ExitsCardProps {
  readonly pool: ProxyPool
  readonly isTesting: boolean
  readonly onTest: () => void
}

/** What is known of each exit, from its checks and from the calls that took it. */
export function ExitsCard({ pool, isTesting, onTest }: ExitsCardProps) {
  return (
    <Card
      title="Exits"
      aside={`checked every ${spanText(pool.check.every_s * SECOND_MS)}`}
      flush
      action={
        <Button small icon={FlaskConical} busy={isTesting} onClick={onTest}>
          Test all
        </Button>
      }
    >
      <DataTable label="Exits" rows={rowsOf(pool)} columns={COLUMNS} />
    </Card>
  )
}

/** Statuses stand in the order of the endpoints. */
function rowsOf({ status, endpoints }: ProxyPool): readonly Row[] {
  return status.map((one, at) => ({
    ...one,
    id: `${at} ${one.url}`,
    weight: endpoints[at]?.weight ?? 1,
    enabled: endpoints[at]?.enabled ?? false,
  }))
}

function Exit({ row }: { row: Row }) {
  return (
    <span className="grid gap-0.5">
      <code className="break-all">{row.url}</code>
      {row.weight !== 1 && <span className="text-caption text-muted">weight {row.weight}</span>}
      <span className="sm:hidden">
        <State row={row} />
      </span>
    </span>
  )
}

function State({ row: { enabled, state, last_error } }: { row: Row }) {
  return (
    <span className="grid gap-0.5">
      <ExitState name={enabled ? state : 'off'} />
      {last_error !== null && <span className="max-w-80 text-caption text-muted">{last_error}</span>}
    </span>
  )
}
