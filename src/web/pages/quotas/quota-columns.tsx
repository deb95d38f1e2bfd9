import type { Column } from '../../components/data-table.tsx'
import { QuotaBar } from '../../components/quota-bar.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { ClockTime, RelativeTime } from '../../components/time.tsx'
import { clockText } from '../../format/time.ts'
import { AccountName } from '../../names.tsx'
import { aboutText, amountText, sourceText, standingOf } from '../../quota-words.ts'
import type { Quota } from '../../wire.ts'
import { QuotaActs, type QuotaActsProps } from './quota-acts.tsx'

const COLUMNS: readonly Column<Quota>[] = [
  { id: 'account', header: 'Account', sort: 'provider', cell: (quota) => <Account quota={quota} /> },
  { id: 'about', header: 'Limit', from: 'md', cell: (quota) => <About quota={quota} /> },
  { id: 'used', header: 'Used', sort: 'used_pct', from: 'sm', cell: (quota) => <QuotaBar quota={quota} /> },
  { id: 'course', header: 'Last hours', from: 'lg', cell: (quota) => <Course quota={quota} /> },
  { id: 'reset', header: 'Resets', align: 'end', from: 'md', cell: (quota) => <Reset quota={quota} /> },
  { id: 'forecast', header: 'Runs out', align: 'end', from: 'md', cell: (quota) => <Forecast quota={quota} /> },
]

/** Make it once: `onAsk` stays the same function. */
export function columnsFor(onAsk: QuotaActsProps['onAsk']): readonly Column<Quota>[] {
  const acts = (quota: Quota) => <QuotaActs quota={quota} onAsk={onAsk} />
  return [...COLUMNS, { id: 'acts', header: 'Acts', align: 'end', cell: acts }]
}

/** On a phone everything else stands below the name. */
function Account({ quota }: { quota: Quota }) {
  return (
    <span className="grid gap-0.5">
      <span className="break-all">
        <AccountName id={quota.account_id} />
      </span>
      <span className="text-caption font-normal break-all text-muted">
        {quota.provider} · {quota.model ?? 'all models'}
      </span>
      <span className="grid gap-1 pt-1 font-normal md:hidden">
        <About quota={quota} />
        <span className="sm:hidden">
          <QuotaBar quota={quota} />
        </span>
        <Ends quota={quota} />
      </span>
    </span>
  )
}

/** When it is back and when it is gone, as one line. */
function Ends({ quota }: { quota: Quota }) {
  const { forecast_exhausted_at } = quota
  const resets_at = standingOf(quota, Date.now()) === 'renewed' ? null : quota.resets_at
  if (resets_at === null && forecast_exhausted_at === null) return null
  return (
    <span className="flex flex-wrap gap-x-3 text-caption text-muted">
      {resets_at !== null && (
        <span>
          Resets <RelativeTime at={resets_at} />
        </span>
      )}
      {forecast_exhausted_at !== null && (
        <span className="text-caution">
          Runs out <RelativeTime at={forecast_exhausted_at} />
        </span>
      )}
    </span>
  )
}

function About({ quota }: { quota: Quota }) {
  return (
    <span className="grid gap-0.5">
      {aboutText(quota)}
      <span className="text-caption text-muted">{sourceText(quota.source)}</span>
    </span>
  )
}

/** What was left, or used where nobody says what is left. */
function Course({ quota: { history, limit, unit, remaining } }: { quota: Quota }) {
  const word = remaining === null ? 'used' : 'left'
  const points = history.map(({ at, ...point }) => ({
    atMs: Date.parse(at),
    value: remaining === null ? point.used : point.remaining,
  }))
  const [first, last] = [points.at(0), points.at(-1)]
  if (first === undefined || last === undefined || points.length < 2) return <Nothing />
  const amount = (value: number | null): string => (value === null ? 'unknown' : amountText(unit, value))
  const since = clockText(new Date(first.atMs), new Date())
  const summary = `${amount(first.value)} ${word} at ${since}, ${amount(last.value)} at the end`
  return <Sparkline points={points} max={limit} summary={summary} />
}

function Reset({ quota: { resets_at } }: { quota: Quota }) {
  if (resets_at === null) return <Nothing />
  return (
    <span className="grid">
      <RelativeTime at={resets_at} />
      <span className="text-caption text-muted">
        <ClockTime at={resets_at} />
      </span>
    </span>
  )
}

function Forecast({ quota: { forecast_exhausted_at } }: { quota: Quota }) {
  if (forecast_exhausted_at === null) return <Nothing />
  return (
    <span className="grid">
      <span className="text-caution">
        <RelativeTime at={forecast_exhausted_at} />
      </span>
      <span className="text-caption text-muted">
        <ClockTime at={forecast_exhausted_at} />
      </span>
    </span>
  )
}

function Nothing() {
  return <span className="text-faint">–</span>
}
