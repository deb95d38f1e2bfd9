import { Bug, Info, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { classNames } from '../../components/class-names.ts'
import { TextLink } from '../../components/text-link.tsx'
import { ClockTime } from '../../components/time.tsx'
import { AccountName, shortId } from '../../names.tsx'
import type { ConsoleEntry } from '../../wire.ts'

type Level = ConsoleEntry['level']

interface Look {
  readonly word: string
  readonly icon: LucideIcon
  readonly className: string
}

export const LEVELS: Readonly<Record<Level, Look>> = {
  debug: { word: 'Debug', icon: Bug, className: 'text-faint' },
  info: { word: 'Info', icon: Info, className: 'text-muted' },
  warn: { word: 'Warning', icon: TriangleAlert, className: 'text-caution' },
  error: { word: 'Error', icon: OctagonX, className: 'text-danger' },
}

/** Their `request` is one of the log; elsewhere a request id is of a call of the dashboard, which the log does not hold. */
const OF_THE_LOG: ReadonlySet<ConsoleEntry['source']> = new Set([
  'gateway',
  'router',
  'provider',
  'budget',
  'guardrail',
])

/** One event: when, how grave, from where, what, and the rest of what it says. */
export function ConsoleLine({ entry, isFresh }: { entry: ConsoleEntry; isFresh: boolean }) {
  const { word, icon: Icon, className } = LEVELS[entry.level]
  const { requestId, others } = detailsOf(entry)
  return (
    <li
      className={classNames(
        'grid grid-cols-[auto_auto_1fr] items-baseline gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-dense hover:bg-hover md:grid-cols-[5.5rem_5.5rem_5rem_minmax(0,1fr)] md:px-6',
        isFresh && 'tint-in',
      )}
    >
      <span className="text-muted">
        <ClockTime at={entry.at} />
      </span>
      <span className="inline-flex items-baseline gap-1.5">
        <Icon
          aria-hidden="true"
          size={15}
          strokeWidth={1.75}
          className={classNames('shrink-0 self-center', className)}
        />
        {word}
      </span>
      <span>
        <Badge>{entry.source}</Badge>
      </span>
      <div className="min-w-0 max-md:col-span-3">
        <p className="break-words">{sentence(entry.message)}</p>
        <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-caption text-muted empty:hidden">
          {requestId !== null && <RequestLink id={requestId} isLogged={OF_THE_LOG.has(entry.source)} />}
          {entry.account !== null && (
            <span>
              Account <AccountName id={entry.account} />
            </span>
          )}
          {entry.key_prefix !== null && (
            <span>
              Key <code>{entry.key_prefix}…</code>
            </span>
          )}
          {others.map(([name, value]) => (
            <span key={name} className="min-w-0 break-all">
              {name} <code className="text-ink">{String(value)}</code>
            </span>
          ))}
        </p>
      </div>
    </li>
  )
}

function RequestLink({ id, isLogged }: { id: string; isLogged: boolean }) {
  if (!isLogged) {
    return (
      <span>
        Call <code title={id}>{shortId(id)}</code>
      </span>
    )
  }
  return (
    <TextLink to={`/requests/${encodeURIComponent(id)}`} className="font-medium">
      Request {shortId(id)}
    </TextLink>
  )
}

/** Some events name their request among their fields. */
function detailsOf({ request_id, fields }: ConsoleEntry) {
  const { request, ...others } = fields
  const requestId = request_id ?? (typeof request === 'string' ? request : null)
  return { requestId, others: Object.entries(others).filter(([, value]) => value !== null) }
}

function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1)
}
