import { useMemo } from 'react'
import { type Column, DataTable, RowControl } from '../../components/data-table.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { rateText } from '../../format/money.ts'
import {
  EACH_LABELS,
  EACH_NAMES,
  FACTOR_LABELS,
  FACTOR_NAMES,
  RATE_LABELS,
  RATE_NAMES,
  type RateName,
} from '../../price-words.ts'
import type { SyncedRates } from '../../wire.ts'

type PriceChange = SyncedRates['changed'][number]
type Price = NonNullable<PriceChange['before']>
type Row = PriceChange & { readonly id: string }

const LABELS = { ...RATE_LABELS, ...EACH_LABELS, ...FACTOR_LABELS }
const NAMES = [...RATE_NAMES, ...EACH_NAMES, ...FACTOR_NAMES]

interface ChangesTableProps {
  readonly label: string
  readonly changes: readonly PriceChange[]
  /** Stays as it is unless somebody sets it. */
  readonly isHeld?: boolean
}

/** Each model with the prices that differ, before and after. */
export function ChangesTable({ label, changes, isHeld = false }: ChangesTableProps) {
  const rows = useMemo(() => changes.map((change): Row => ({ ...change, id: change.model })), [changes])
  return <DataTable label={label} rows={rows} columns={isHeld ? HELD_COLUMNS : COLUMNS} />
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'model', header: 'Model', cell: ({ model }) => <span className="font-mono text-dense">{model}</span> },
  { id: 'change', header: 'Before and after, $ per million tokens', cell: (row) => <Differences row={row} /> },
]

const HELD_COLUMNS: readonly Column<Row>[] = [
  ...COLUMNS,
  {
    id: 'acts',
    header: 'Acts',
    align: 'end',
    cell: ({ model }) => (
      <RowControl>
        <TextLink to={`/models/prices/new?model=${encodeURIComponent(model)}`}>Set it</TextLink>
      </RowControl>
    ),
  },
]

function Differences({ row: { before, after } }: { row: Row }) {
  if (before === null || after === null) {
    return (
      <>
        {before === null ? NOT_BY_TOKENS : wholeText(before)} → {after === null ? NOT_BY_TOKENS : wholeText(after)}
      </>
    )
  }
  const differing = NAMES.filter((name) => before[name] !== after[name] && !isFollowing(name, before, after))
  const areTiersDifferent = JSON.stringify(before.tiers) !== JSON.stringify(after.tiers)
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-0.5">
      {differing.map((name) => (
        <span key={name} className="whitespace-nowrap">
          <span className="text-muted">
            {LABELS[name]} {figureText(before[name])} →
          </span>{' '}
          <strong className="font-medium">{figureText(after[name])}</strong>
        </span>
      ))}
      {areTiersDifferent && (
        <span>
          Long prompts: {tiersText(before)} → {tiersText(after)}
        </span>
      )}
    </span>
  )
}

/** What has no price of its own costs what its kin costs: that it does before and after need not be said. */
const KIN: Readonly<Partial<Record<(typeof NAMES)[number], RateName>>> = {
  cache_read: 'input',
  cache_write_5m: 'input',
  cache_write_1h: 'cache_write_5m',
  audio_in: 'input',
  audio_out: 'output',
  image_in: 'input',
}

function isFollowing(name: (typeof NAMES)[number], before: Price, after: Price): boolean {
  const kin = KIN[name]
  return kin !== undefined && before[name] === before[kin] && after[name] === after[kin]
}

const NOT_BY_TOKENS = 'not by tokens'

function figureText(figure: number | null): string {
  return figure === null ? 'not said' : rateText(figure)
}

function wholeText({ input, output }: Price): string {
  return `${rateText(input)} in, ${rateText(output)} out`
}

function tiersText({ tiers }: Price): string {
  if (tiers.length === 0) return 'as short ones'
  return tiers
    .map(
      ({ above_input_tokens, input, output }) =>
        `above ${above_input_tokens.toLocaleString('en-US')} ${rateText(input)} in, ${rateText(output)} out`,
    )
    .join('; ')
}
