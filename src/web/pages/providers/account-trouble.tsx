import { CircleCheck, CircleX, Timer } from 'lucide-react'
import { useState } from 'react'
import { useToasts } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { ClockTime, RelativeTime } from '../../components/time.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { useReset } from '../../quota-reset.ts'
import type { Account } from '../../wire.ts'
import { failureWord } from './failure-words.ts'

type Cooldown = Account['cooldowns'][number]
type Row = Cooldown & { readonly id: string }

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'model',
    header: 'Model',
    cell: ({ model }) => (
      <span className="flex items-center gap-2">
        <Timer aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-caution" />
        <code className="break-all">{model}</code>
      </span>
    ),
  },
  { id: 'why', header: 'Why', cell: ({ reason }) => failureWord(reason) },
  {
    id: 'level',
    header: 'In a row',
    align: 'end',
    from: 'sm',
    cell: ({ level }) => <span className="text-muted">{level + 1}</span>,
  },
  {
    id: 'until',
    header: 'Ends in',
    align: 'end',
    cell: ({ until }) => <TimeLeft until={until} />,
  },
]

/** Models that rest on this account. The account answers for all others. */
export function CooldownsCard({ account: { id, name, cooldowns } }: { account: Account }) {
  const { isRunning, run } = useTryAgain(id, name)
  if (cooldowns.length === 0) return null
  const rows = cooldowns.map((cooldown) => ({ ...cooldown, id: cooldown.model }))
  return (
    <Card
      title="Cooldowns"
      aside="other models go on"
      action={
        <Button small busy={isRunning} onClick={() => void run()}>
          End them now
        </Button>
      }
      flush
    >
      <DataTable label="Cooldowns" rows={rows} columns={COLUMNS} />
    </Card>
  )
}

/** What is counted here begins anew, too, and the account is tested: a limit that is not over makes it rest again. */
function useTryAgain(id: string, name: string) {
  const reset = useReset()
  const toasts = useToasts()
  const [isRunning, setRunning] = useState(false)
  async function run(): Promise<void> {
    setRunning(true)
    try {
      await reset(id)
      toasts.done(`Requests use all models of “${name}” again`)
    } catch (cause) {
      toasts.failed(reasonOf(cause))
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, run }
}

export function LastErrorCard({ account: { last_error, last_ok_at } }: { account: Account }) {
  if (last_error === null) return null
  const isOver = last_ok_at !== null && Date.parse(last_ok_at) > Date.parse(last_error.at)
  const Icon = isOver ? CircleCheck : CircleX
  return (
    <Card title="Last error" aside={<RelativeTime at={last_error.at} />}>
      <div className="flex gap-2.5 text-dense">
        <Icon
          aria-hidden="true"
          size={16}
          strokeWidth={1.75}
          className={isOver ? 'mt-px shrink-0 text-clear' : 'mt-px shrink-0 text-danger'}
        />
        <div className="min-w-0">
          <p>
            <span className="font-semibold">{failureWord(last_error.class)}</span>
            {last_error.http !== null && <span className="text-muted"> · status {last_error.http}</span>}
          </p>
          <p className="mt-0.5 break-words text-muted">{last_error.message}</p>
          {isOver && last_ok_at !== null && (
            <p className="mt-1.5 text-caption text-faint">
              Answered again at <ClockTime at={last_ok_at} />.
            </p>
          )}
        </div>
      </div>
    </Card>
  )
}
