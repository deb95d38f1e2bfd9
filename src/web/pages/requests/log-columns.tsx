import { Equal } from 'lucide-react'
import { SECOND_MS } from '../../../core/duration.ts'
import { Badge } from '../../components/badge.tsx'
import { Money } from '../../components/money.tsx'
import { Duration, Tokens } from '../../components/quantity.tsx'
import { requestStatus, Status } from '../../components/status.tsx'
import { ClockTime, useNow } from '../../components/time.tsx'
import type { VirtualColumn } from '../../components/virtual-list.tsx'
import { plural } from '../../format/count.ts'
import { durationText } from '../../format/time.ts'
import { AccountName, KeyName } from '../../names.tsx'
import type { LoggedRequest } from '../../wire.ts'
import { failureWhy, failureWord } from './failure-words.ts'

/** The narrowest window that has room for a column. */
interface LogColumn extends VirtualColumn<LoggedRequest> {
  readonly from?: 'lg' | 'xl'
}

const COLUMNS: readonly LogColumn[] = [
  {
    id: 'outcome',
    header: 'Outcome',
    width: '6.25rem',
    cell: (request) => <Status name={requestStatus(request)} />,
  },
  { id: 'time', header: 'Time', width: '5.5rem', cell: ({ at }) => <ClockTime at={at} /> },
  {
    id: 'key',
    header: 'Key',
    width: 'minmax(6.25rem, 1fr)',
    cell: ({ key_id }) => (
      <span className="font-medium">
        <KeyName id={key_id} />
      </span>
    ),
  },
  {
    id: 'client',
    header: 'Client',
    width: 'minmax(5rem, 0.6fr)',
    from: 'xl',
    cell: ({ client }) => <span className="text-muted">{client ?? '–'}</span>,
  },
  {
    id: 'asked',
    header: 'Asked for',
    width: 'minmax(5rem, 0.8fr)',
    from: 'xl',
    cell: (request) => <AskedFor request={request} />,
  },
  {
    id: 'answered',
    header: 'Answered by',
    width: 'minmax(9rem, 2.8fr)',
    cell: (request) => <AnsweredBy request={request} />,
  },
  {
    id: 'input',
    header: 'Input',
    width: '3.25rem',
    align: 'end',
    from: 'lg',
    cell: ({ tokens }) => <Count tokens={tokens.input_tokens} />,
  },
  {
    id: 'output',
    header: 'Output',
    width: '3.25rem',
    align: 'end',
    from: 'lg',
    cell: ({ tokens, status }) => (status === 'open' ? '…' : <Count tokens={tokens.output} />),
  },
  { id: 'cost', header: 'Cost', width: '5.75rem', align: 'end', cell: (request) => <Cost request={request} /> },
  { id: 'took', header: 'Took', width: '4rem', align: 'end', cell: (request) => <Took request={request} /> },
  {
    id: 'first',
    header: 'First token',
    width: '4.25rem',
    align: 'end',
    from: 'lg',
    cell: ({ ms_first_token }) => <Muted ms={ms_first_token} />,
  },
]

/** What fits, the least important left out first. */
export function columnsFor({ isLarge, isWide }: { isLarge: boolean; isWide: boolean }): readonly LogColumn[] {
  return COLUMNS.filter(({ from }) => from === undefined || (from === 'lg' ? isLarge : isWide))
}

function Count({ tokens }: { tokens: number }) {
  return <span className="text-muted">{tokens === 0 ? '' : <Tokens count={tokens} />}</span>
}

function Muted({ ms }: { ms: number | null }) {
  return (
    <span className="text-muted">
      <Duration ms={ms} />
    </span>
  )
}

/** A request that runs, or that no provider was asked for, has no cost. One that failed unbilled is not called free. */
export function Cost({ request }: { request: LoggedRequest }) {
  const { status, cost_usd, cost_source, attempts } = request
  if (status === 'open' || attempts.length === 0) return <>–</>
  return <Money usd={cost_usd} source={status !== 'ok' && cost_source === 'free' ? null : cost_source} />
}

/** A request that runs shows how long it has. */
function Took({ request: { status, at, ms_total } }: { request: LoggedRequest }) {
  return status === 'open' ? <Running at={at} /> : <Muted ms={ms_total} />
}

function Running({ at }: { at: string }) {
  const nowMs = useNow(SECOND_MS)
  return <span className="text-muted">{durationText(Math.max(0, nowMs - Date.parse(at)))}</span>
}

/** The name of an alias or a chain; a target that was named itself is only marked. */
function AskedFor({ request }: { request: LoggedRequest }) {
  const { model_asked } = request
  if (model_asked !== answeredBy(request)) return <code title={model_asked}>{model_asked}</code>
  return (
    <span className="flex items-center gap-1.5 text-muted" title={model_asked}>
      <Equal aria-hidden="true" size={14} strokeWidth={1.75} />
      direct
    </span>
  )
}

function AnsweredBy({ request }: { request: LoggedRequest }) {
  const target = answeredBy(request)
  const account = request.account_id ?? request.attempts.at(-1)?.account ?? null
  return (
    <span className="flex min-w-0 items-center gap-2">
      {target !== undefined && (
        <code className="min-w-0 truncate" title={target}>
          {target}
        </code>
      )}
      {account !== null && (
        <span className="max-w-24 shrink-0 truncate text-caption text-muted">
          <AccountName id={account} />
        </span>
      )}
      <Trouble request={request} />
    </span>
  )
}

/** The failure in a word; for what was answered in the end, how often it was tried. */
function Trouble({ request }: { request: LoggedRequest }) {
  const { attempts, status, error_class } = request
  const tries = `${attempts.length} tries`
  if (isFailed(request) && error_class !== null && error_class !== 'cut') {
    return (
      <span className="shrink-0" title={[failureWhy(error_class), attempts.length > 1 ? tries : ''].join(' ')}>
        <Badge tone={status === 'blocked' ? 'caution' : 'danger'}>{failureWord(error_class)}</Badge>
      </span>
    )
  }
  if (attempts.length < 2) return null
  return (
    <span className="shrink-0">
      <Badge tone={isFailed(request) ? 'danger' : 'caution'}>{tries}</Badge>
    </span>
  )
}

function isFailed({ status }: LoggedRequest): boolean {
  return status !== 'ok' && status !== 'open' && status !== 'cancelled'
}

/** `<provider>/<model>` of the last one asked; undefined when none was. */
export function answeredBy({ provider, model_used, attempts }: LoggedRequest): string | undefined {
  if (provider !== null && model_used !== null) return `${provider}/${model_used}`
  const last = attempts.at(-1)
  return last && `${last.provider}/${last.model}`
}

/** A row of the log on a phone. */
export function CompactRow({ request }: { request: LoggedRequest }) {
  const { attempts, tokens, ms_total, at, status } = request
  const facts = [
    status !== 'open' && tokens.output > 0 ? plural(tokens.output, 'token') : undefined,
    ms_total === null ? undefined : durationText(ms_total),
  ].filter((fact) => fact !== undefined)
  return (
    <span className="grid grid-cols-1 gap-y-0.5">
      <span className="flex items-center gap-3">
        <Status name={requestStatus(request)} iconOnly />
        <code className="min-w-0 flex-1 truncate">{answeredBy(request) ?? request.model_asked}</code>
        <Cost request={request} />
      </span>
      <span className="flex items-center gap-2 pl-7 text-caption text-muted">
        <span className="min-w-0 truncate">
          <KeyName id={request.key_id} />
        </span>
        {attempts.length > 1 && <Badge tone={isFailed(request) ? 'danger' : 'caution'}>{attempts.length} tries</Badge>}
        <span className="ml-auto shrink-0">
          {facts.map((fact) => `${fact} · `)}
          <ClockTime at={at} />
        </span>
      </span>
    </span>
  )
}
