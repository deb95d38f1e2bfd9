import { CircleCheck, CircleSlash, CircleX, ClipboardCheck, type LucideIcon, Wrench } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { classNames } from '../../components/class-names.ts'
import { reasonOf } from '../../components/error-state.tsx'
import { Money } from '../../components/money.tsx'
import { Tokens } from '../../components/quantity.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { plural } from '../../format/count.ts'
import type { ConformanceReport, ConformanceState, Provider } from '../../wire.ts'
import type { ConformanceRun } from './conformance-data.ts'
import { CHECK_WORDS, quirkText } from './conformance-words.ts'
import { DIALECT_WORDS } from './provider-facts.tsx'

export interface ConformanceCardProps {
  readonly provider: Provider
  readonly run: ConformanceRun
  readonly onCheck: () => void
}

/** Whether the provider does what its formats promise, as the last check found, and the way to check it again. */
export function ConformanceCard({ provider, run, onCheck }: ConformanceCardProps) {
  const { data } = run.state
  const last = data?.last ?? null
  return (
    <Card
      title="Conformance"
      {...(last !== null && { aside: <RelativeTime at={last.checked_at} /> })}
      action={
        <Button small icon={ClipboardCheck} busy={run.isRunning} onClick={onCheck}>
          Check conformance
        </Button>
      }
    >
      <div className="grid gap-3">
        {run.error !== undefined && (
          <Callout tone="danger" alert>
            {reasonOf(run.error)}
          </Callout>
        )}
        {run.isRunning && <Running running={data?.running ?? null} />}
        {last === null ? (
          <p className="text-dense text-muted">
            Not checked yet. A check finds out with a few cheap questions whether streams, tools and structured output
            work at {provider.name} as its formats promise.
          </p>
        ) : (
          <Report provider={provider} report={last} run={run} />
        )}
      </div>
    </Card>
  )
}

function Running({ running }: { running: ConformanceState['running'] }) {
  const { done, total } = running ?? { done: 0, total: 0 }
  return (
    <div role="status" className="grid gap-1.5">
      <p className="text-dense text-muted">
        {total === 0 ? 'Asking' : `Question ${Math.min(done + 1, total)} of ${total}`}
      </p>
      <progress
        aria-label="Questions asked"
        value={done}
        max={Math.max(1, total)}
        className="h-1.5 w-full accent-accent"
      />
    </div>
  )
}

type Check = ConformanceReport['checks'][number]

function Report({ provider, report, run }: { provider: Provider; report: ConformanceReport; run: ConformanceRun }) {
  const { score, checks, models, calls, tokens, cost_usd } = report
  const of = (outcome: Check['outcome']) => checks.filter((check) => check.outcome === outcome)
  const [open, passed] = [[...of('failed'), ...of('remedied'), ...of('skipped')], of('passed')]
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="text-figure font-semibold">
          {score}
          <span className="text-dense font-normal text-muted"> of 100</span>
        </p>
        <p className="min-w-0 text-caption text-muted">
          {plural(calls, 'call')}, <Tokens count={tokens} /> tokens, <Cost usd={cost_usd} /> ·{' '}
          <code className="break-all">{[...new Set(models.map(({ model }) => model))].join(', ')}</code>
        </p>
      </div>
      {open.length > 0 && (
        <ul aria-label="Checks" className="grid gap-2.5">
          {open.map((check) => (
            <CheckRow key={check.dialect + check.check} check={check} report={report} />
          ))}
        </ul>
      )}
      <Quirks provider={provider} report={report} run={run} />
      {passed.length > 0 && (
        <details className="text-dense">
          <summary className="touch cursor-pointer text-muted">{plural(passed.length, 'check')} passed</summary>
          <ul aria-label="Checks that passed" className="mt-2.5 grid gap-2.5">
            {passed.map((check) => (
              <CheckRow key={check.dialect + check.check} check={check} report={report} />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function Cost({ usd }: { usd: number | null }) {
  return <Money usd={usd} source={usd === null ? 'unknown' : null} />
}

const LOOKS: Readonly<
  Record<Check['outcome'], { readonly icon: LucideIcon; readonly tone: string; readonly word: string }>
> = {
  failed: { icon: CircleX, tone: 'text-danger', word: 'failed' },
  remedied: { icon: Wrench, tone: 'text-caution', word: 'works with a quirk' },
  skipped: { icon: CircleSlash, tone: 'text-muted', word: 'not tried' },
  passed: { icon: CircleCheck, tone: 'text-clear', word: 'passed' },
}

function CheckRow({ check: { check, dialect, outcome, why }, report }: { check: Check; report: ConformanceReport }) {
  const { icon: Icon, tone, word } = LOOKS[outcome]
  const said = outcome === 'remedied' && why !== null ? `${why}; works with the quirks below` : why
  return (
    <li className="grid grid-cols-[1rem_1fr] gap-x-2.5 text-dense">
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={classNames('mt-px', tone)} />
      <span>
        {CHECK_WORDS[check]}
        <span className="sr-only">: {word}</span>
        {report.models.length > 1 && <span className="text-muted"> · {DIALECT_WORDS[dialect] ?? dialect}</span>}
      </span>
      {said !== null && <p className="col-start-2 text-caption text-muted">{sentence(said)}</p>}
    </li>
  )
}

function Quirks({ provider, report, run }: { provider: Provider; report: ConformanceReport; run: ConformanceRun }) {
  const quirks = Object.entries(report.quirks)
  if (quirks.length === 0) return null
  const isOurs = provider.origin === 'custom'
  return (
    <Callout
      tone={report.applied ? 'clear' : 'caution'}
      icon={Wrench}
      action={
        isOurs &&
        !report.applied && (
          <Button small tone="primary" busy={run.isRunning} onClick={() => run.apply(report)}>
            Save with the provider
          </Button>
        )
      }
    >
      {report.applied ? 'Saved with the provider: ' : 'This host needs: '}
      <code className="break-words">{quirks.map(([name, value]) => quirkText(name, value)).join(' · ')}</code>
      {!isOurs && '. A built-in provider is not changed; this is for whoever keeps its description.'}
    </Callout>
  )
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
