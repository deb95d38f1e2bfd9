import { CircleCheck, CircleX, Copy, TriangleAlert } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { plural } from '../../format/count.ts'
import type { BulkOutcome } from '../../wire.ts'
import { failureWord } from './failure-words.ts'

type Item = BulkOutcome['items'][number]
type Row = Item & { readonly id: string }

const COLUMNS: readonly Column<Row>[] = [
  { id: 'line', header: 'Line', cell: ({ index, account }) => account?.name ?? `Line ${index + 1}` },
  { id: 'result', header: 'Result', cell: (row) => <Result item={row} /> },
  {
    id: 'secret',
    header: 'Credential',
    from: 'sm',
    cell: ({ account }) => (
      <code className="text-muted">{Object.values(account?.credentials_masked ?? {})[0] ?? '–'}</code>
    ),
  },
]

export interface BulkResultsProps {
  readonly outcome: BulkOutcome
  readonly providerId: string
  readonly onAgain: () => void
}

/** What became of each line: some may be added although others are not. */
export function BulkResults({ outcome, providerId, onAgain }: BulkResultsProps) {
  const { created, duplicates, invalid, items } = outcome
  const rows = items.map((item) => ({ ...item, id: item.account?.id ?? `line ${item.index}` }))
  const counts = [
    `${plural(created, 'account')} added`,
    `${plural(duplicates, 'duplicate')} left out`,
    `${invalid} not valid`,
  ]
  return (
    <Card title="Result" aside={<span role="status">{counts.join(', ')}</span>} flush>
      <DataTable label="Result of each line" rows={rows} columns={COLUMNS} />
      <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
        <Button onClick={onAgain}>Add more</Button>
        <ButtonLink to={`/providers/${providerId}`} tone="primary">
          Show the accounts
        </ButtonLink>
      </div>
    </Card>
  )
}

function Result({ item: { status, test, message, errors } }: { item: Item }) {
  if (status === 'duplicate')
    return <Line icon={Copy} tone="text-muted" text={message ?? 'There is an account with it'} />
  if (status === 'invalid') {
    const texts = Object.values(errors).flat()
    return <Line icon={CircleX} tone="text-danger" text={texts.join(', ') || (message ?? 'Not valid')} />
  }
  if (test === null) return <Line icon={CircleCheck} tone="text-clear" text="Added" />
  if (test.ok)
    return <Line icon={CircleCheck} tone="text-clear" text={`Added, ${plural(test.models_found, 'model')} found`} />
  const failed = test.steps.find(({ ok }) => !ok)
  return (
    <Line icon={TriangleAlert} tone="text-caution" text={`Added, but: ${failureWord(failed?.class ?? 'not tested')}`} />
  )
}

function Line({ icon: Icon, tone, text }: { icon: typeof CircleCheck; tone: string; text: string }) {
  return (
    <span className="inline-flex items-start gap-1.5">
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={`mt-px shrink-0 ${tone}`} />
      {text}
    </span>
  )
}
