import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable, type DataTableProps, RowControl } from '../../components/data-table.tsx'
import { TargetHealth, TargetMark } from '../../components/target.tsx'
import { plural } from '../../format/count.ts'
import { CHAIN_STRATEGY_WORDS } from '../../strategies.ts'
import type { Chain } from '../../wire.ts'
import { ChainSlug } from './chain-slug.tsx'
import { useStepUsage } from './data.ts'
import { ShareBar } from './share-bar.tsx'

type ChainTableProps = Omit<DataTableProps<Chain>, 'label' | 'columns' | 'hrefOf'>

export function ChainTable(table: ChainTableProps) {
  return <DataTable label="Chains" columns={COLUMNS} hrefOf={({ id }) => `/chains/${id}`} {...table} />
}

const COLUMNS: readonly Column<Chain>[] = [
  { id: 'name', header: 'Name', sort: 'name', cell: (chain) => <Name chain={chain} /> },
  {
    id: 'slug',
    header: 'Model for clients',
    sort: 'slug',
    from: 'md',
    cell: ({ slug }) => (
      <RowControl>
        <ChainSlug slug={slug} />
      </RowControl>
    ),
  },
  {
    id: 'strategy',
    header: 'Tries steps',
    from: 'lg',
    cell: ({ strategy }) => (
      <span className="whitespace-nowrap text-muted">{CHAIN_STRATEGY_WORDS[strategy].label}</span>
    ),
  },
  { id: 'steps', header: 'Steps, and their share of 24 hours', cell: (chain) => <Steps chain={chain} /> },
]

function Name({ chain: { name, slug, enabled, description } }: { chain: Chain }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <span className="line-clamp-1 break-all">{name}</span>
        {!enabled && <Badge tone="caution">Off</Badge>}
      </span>
      <code className="text-caption font-normal text-muted md:hidden">chain/{slug}</code>
      {description !== '' && <span className="line-clamp-1 font-normal text-muted">{description}</span>}
    </>
  )
}

const STEPS_SHOWN = 4

function Steps({ chain: { id, steps } }: { chain: Chain }) {
  const usage = useStepUsage(id)
  const rest = steps.length - STEPS_SHOWN
  return (
    <ol className="grid gap-1 py-1">
      {steps.slice(0, STEPS_SHOWN).map((step) => {
        const used = usage.find((one) => one.id === step.id)
        return (
          <li key={step.id} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className="max-sm:hidden">
              <TargetMark model={step.model} />
            </span>
            <code className={step.enabled ? 'break-all' : 'break-all text-faint line-through'}>{step.model}</code>
            <TargetHealth model={step.model} />
            {used && <ShareBar usage={used} />}
          </li>
        )
      })}
      {rest > 0 && <li className="text-caption text-muted">and {plural(rest, 'more step')}</li>}
    </ol>
  )
}
