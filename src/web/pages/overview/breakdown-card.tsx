import { type ReactNode, useMemo } from 'react'
import { useSearch } from '../../address.ts'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Duration, Tokens } from '../../components/quantity.tsx'
import { SumCost } from '../../components/request-cost.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { countText, percentText, plural } from '../../format/count.ts'
import type { UsageTelemetry } from '../../wire.ts'
import { isPartSort, KIND_NAMES, KINDS, type KindName, type Part, sorted } from './parts.ts'

const OPTIONS = KIND_NAMES.map((value) => ({ value, label: KINDS[value].label }))
/** As many as the API tells of each kind. */
const PARTS_MAX = 20

/** Everything that can be summed, by whoever took part; each line leads to its requests. What is chosen is in the address. */
export function BreakdownCard({ telemetry }: { telemetry: UsageTelemetry }) {
  const [search, setSearch] = useSearch()
  const name = KIND_NAMES.find((kind) => kind === search['by']) ?? 'model'
  const { range, cost_usd: cost } = telemetry.summary
  const sort = isPartSort(search['sort']) ? search['sort'] : cost > 0 ? 'cost' : 'requests'
  const order = search['order'] === 'asc' ? 'asc' : 'desc'
  const kind = KINDS[name]
  const parts = sorted(kind.of(telemetry), sort, order)
  const columns = useMemo(() => columnsFor(name, cost), [name, cost])
  return (
    <Card
      title="By"
      aside={parts.length === PARTS_MAX ? `the busiest ${PARTS_MAX}` : undefined}
      flush
      action={
        <Segmented
          label="By"
          value={name}
          options={OPTIONS}
          onChange={(by) => setSearch({ by: by === 'model' ? null : by })}
        />
      }
    >
      <DataTable
        label={`Usage by ${kind.label.toLowerCase()}`}
        rows={parts}
        columns={columns}
        hrefOf={({ id }) => `/requests?${kind.filter}=${encodeURIComponent(id)}&range=${range}`}
        order={{ sort, order, onSort: (sort, order) => setSearch({ sort, order }) }}
        empty={<p className="p-4 text-dense text-muted">{emptyText(name, telemetry)}</p>}
      />
    </Card>
  )
}

function emptyText(name: KindName, { summary }: UsageTelemetry): string {
  if (summary.requests === 0) return 'No requests in this range.'
  return name === 'tag' ? 'No key that was used has tags.' : 'Nothing in this range has one.'
}

function columnsFor(name: KindName, cost: number): readonly Column<Part>[] {
  return [
    {
      id: 'name',
      header: KINDS[name].label,
      cell: ({ label }) => <span className={isName(name) ? '' : 'font-mono'}>{label}</span>,
    },
    { id: 'cost', header: 'Cost', sort: 'cost', align: 'end', cell: (part) => <Cost part={part} all={cost} /> },
    { id: 'requests', header: 'Requests', sort: 'requests', align: 'end', cell: ({ requests }) => countText(requests) },
    {
      id: 'failed',
      header: 'Failed',
      sort: 'failed',
      align: 'end',
      from: 'sm',
      cell: (part) => <Failed part={part} />,
    },
    {
      id: 'tokens',
      header: 'Tokens',
      sort: 'tokens',
      align: 'end',
      from: 'md',
      cell: ({ input_tokens: input, output }) => <Tokens count={input + output} />,
    },
    { id: 'cached', header: 'From cache', align: 'end', from: 'xl', cell: cachedText },
    {
      id: 'p50',
      header: 'p50',
      sort: 'p50',
      align: 'end',
      from: 'lg',
      cell: ({ latency }) => <Duration ms={latency.p50} />,
    },
    {
      id: 'p95',
      header: 'p95',
      sort: 'p95',
      align: 'end',
      from: 'lg',
      cell: ({ latency }) => <Duration ms={latency.p95} />,
    },
  ]
}

/** Names that people gave, and words; the others are what programs call things. */
function isName(name: KindName): boolean {
  return name === 'key' || name === 'account'
}

/** Beside its amount, its part of the whole. */
function Cost({ part, all }: { part: Part; all: number }): ReactNode {
  const { cost_usd: cost, cost_unknown_requests: unknown } = part
  return (
    <span
      className="inline-flex items-center gap-2.5"
      title={unknown > 0 ? `${plural(unknown, 'request')} without a known price not counted` : undefined}
    >
      {cost > 0 && (
        <span aria-hidden="true" className="hidden w-16 xl:block">
          <span
            className="bar block h-1.5 min-w-0.5 rounded-full bg-data-1"
            style={{ width: `${(cost / all) * 100}%` }}
          />
        </span>
      )}
      <span className="min-w-16">
        <SumCost part={part} />
        {unknown > 0 && cost > 0 && <span className="text-muted"> +?</span>}
      </span>
    </span>
  )
}

function Failed({ part: { ok, failed } }: { part: Part }): ReactNode {
  if (failed === 0) return <span className="text-muted">0</span>
  return (
    <span title={countText(failed)}>
      {countText(failed)} <span className="text-muted">{percentText(failed / (ok + failed))}</span>
    </span>
  )
}

function cachedText({ cache_read: read, input_tokens: input }: Part): string {
  return input === 0 ? '–' : percentText(read / input)
}
