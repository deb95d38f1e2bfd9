import { Badge } from '../../components/badge.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { type Column, DataTable, type DataTableProps, RowControl } from '../../components/data-table.tsx'
import { TargetHealth, TargetMark } from '../../components/target.tsx'
import { percentText, plural } from '../../format/count.ts'
import { STRATEGY_WORDS } from '../../strategies.ts'
import type { Alias } from '../../wire.ts'
import { sharesOf } from './alias-draft.ts'
import { hrefOf } from './data.ts'
import { RetirementBadge } from './retirement-badge.tsx'

type AliasTableProps = Omit<DataTableProps<Alias>, 'label' | 'columns' | 'hrefOf'>

export function AliasTable(table: AliasTableProps) {
  return <DataTable label="Aliases" columns={COLUMNS} hrefOf={hrefOf} {...table} />
}

const COLUMNS: readonly Column<Alias>[] = [
  { id: 'alias', header: 'Alias', sort: 'alias', cell: ({ alias }) => <code className="break-all">{alias}</code> },
  {
    id: 'copy',
    header: 'Copy',
    from: 'md',
    cell: ({ alias }) => (
      <RowControl>
        <CopyButton text={alias} label={`Copy ${alias}`} />
      </RowControl>
    ),
  },
  { id: 'targets', header: 'Stands for', cell: (alias) => <Targets alias={alias} /> },
  {
    id: 'strategy',
    header: 'Chosen',
    from: 'lg',
    cell: ({ strategy }) => <span className="whitespace-nowrap text-muted">{STRATEGY_WORDS[strategy].label}</span>,
  },
  { id: 'expires_at', header: 'Notes', sort: 'expires_at', from: 'sm', cell: (alias) => <Notes alias={alias} /> },
]

const TARGETS_SHOWN = 4

function Targets({ alias: { targets, strategy } }: { alias: Alias }) {
  const shares = sharesOf(targets)
  const rest = targets.length - TARGETS_SHOWN
  return (
    <ul className="grid gap-1 py-1">
      {targets.slice(0, TARGETS_SHOWN).map(({ model, enabled }, at) => (
        <li key={at} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="max-sm:hidden">
            <TargetMark model={model} />
          </span>
          <code className={enabled ? 'break-all' : 'break-all text-faint line-through'}>{model}</code>
          {strategy === 'weighted' && targets.length > 1 && (
            <span className="text-caption text-muted">{percentText(shares[at] ?? 0)}</span>
          )}
          <TargetHealth model={model} />
        </li>
      ))}
      {rest > 0 && <li className="text-caption text-muted">and {plural(rest, 'more target')}</li>}
    </ul>
  )
}

function Notes({ alias }: { alias: Alias }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {alias.alias.endsWith('*') && <Badge>Every name that begins so</Badge>}
      {alias.shadow && <Badge>May hide a model</Badge>}
      {!alias.listed && <Badge>Not listed</Badge>}
      <RetirementBadge alias={alias} />
      {alias.replaced_by !== null && (
        <span className="text-caption text-muted">
          then <code>{alias.replaced_by}</code>
        </span>
      )}
    </span>
  )
}
