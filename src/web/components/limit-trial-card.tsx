import { useState } from 'react'
import { countText, plural } from '../format/count.ts'
import { LIMIT_LABELS } from '../limit-words.ts'
import { useLimitTrial } from '../limit-trial.ts'
import type { FieldErrors, LimitSimulation, LimitTrial } from '../wire.ts'
import { Bars } from './bars.tsx'
import { Button } from './button.tsx'
import { Callout } from './callout.tsx'
import { Card } from './card.tsx'
import { reasonOf } from './error-state.tsx'
import { Facts } from './facts.tsx'
import { messageFor } from './form-state.ts'
import { Segmented } from './segmented.tsx'
import { TextLink } from './text-link.tsx'
import { ClockTime } from './time.tsx'

type Range = LimitTrial['range']

export interface LimitTrialCardProps {
  /** What is tried, as it is typed; and whose requests, all of them otherwise. */
  readonly draft: Omit<LimitTrial, 'range'>
  /** Whose requests are looked at, in words. */
  readonly whose: string
}

const RANGES: readonly { readonly value: Range; readonly label: string }[] = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
]
const EXAMPLES_SHOWN = 5

/** Who would have been blocked by what is typed now. */
export function LimitTrialCard({ draft, whose }: LimitTrialCardProps) {
  const [range, setRange] = useState<Range>('30d')
  const trial = useLimitTrial({ ...draft, range })
  return (
    <Card title="Who would have been blocked?" aside="nothing is sent">
      <div className="grid gap-4">
        <p className="text-dense text-muted">Tries what is typed on {whose}, as the log has them.</p>
        <div className="flex flex-wrap items-center gap-2">
          <Segmented label="Range" value={range} options={RANGES} onChange={setRange} />
          <Button busy={trial.isRunning} onClick={() => void trial.run()}>
            Try it
          </Button>
        </div>
        <div aria-live="polite" className="grid gap-4 empty:hidden">
          {trial.error && <Callout tone="caution">{whyNot(trial.error.errors) ?? reasonOf(trial.error)}</Callout>}
          {trial.isStale && !trial.isRunning && (
            <Callout tone="info">This is about what was typed before. Try it again.</Callout>
          )}
          {trial.result && <Outcome result={trial.result} />}
        </div>
      </div>
    </Card>
  )
}

/** What is wrong with what was typed, in the words of its fields. */
function whyNot(errors: FieldErrors): string | undefined {
  return messageFor(errors, 'budget') ?? messageFor(errors, 'plan')
}

function Outcome({ result }: { result: LimitSimulation }) {
  const { requests, would_block, would_downgrade, cost_unknown_requests: unknown, truncated, to } = result
  if (requests === 0) return <p className="text-dense text-muted">No requests in this time to try it on.</p>
  const facts = [
    ...(would_downgrade > 0 ? [['Another model', countText(would_downgrade)] as const] : []),
    ...(unknown > 0 ? [['Unpriced', `${countText(unknown)}, counted as nothing`] as const] : []),
    ...(truncated ? [['Read until', <ClockTime key="to" at={to} />] as const] : []),
  ]
  return (
    <div className="grid gap-4 border-t border-line pt-3">
      <p className="text-dense">
        {would_block === 0 ? (
          <>Nobody: all {plural(requests, 'request')} would have passed.</>
        ) : (
          <>
            <strong className="font-semibold text-danger">{countText(would_block)}</strong> of{' '}
            {plural(requests, 'request')} would have been refused.
          </>
        )}
      </p>
      {facts.length > 0 && <Facts items={facts} />}
      <ByRule rules={result.by_rule} />
      <Examples examples={result.examples} />
      <p className="text-caption text-faint">
        Answers are taken to cost what they did. Who would have had to wait counts as refused.
      </p>
    </div>
  )
}

const RULE_LABELS: Readonly<Partial<Record<string, string>>> = {
  ...LIMIT_LABELS,
  models_allow: 'Models that it may use',
  models_deny: 'Models that it may not use',
  endpoints_allow: 'Endpoints',
}

/** What plans say is called as in their form; the plan that is tried has no name that anybody knows; budgets have theirs. */
function ruleText(rule: string): string {
  if (rule.startsWith('budget of the plan ')) return LIMIT_LABELS.budget_usd
  return RULE_LABELS[rule] ?? rule
}

function ByRule({ rules }: { rules: LimitSimulation['by_rule'] }) {
  if (rules.length === 0) return null
  return (
    <Bars
      label="By limit"
      tone="danger"
      bars={rules.map(({ rule, would_block, would_downgrade, first_at }) => ({
        id: rule,
        label: ruleText(rule),
        value: would_block + would_downgrade,
        text: (
          <>
            {countText(would_block + would_downgrade)}, first <ClockTime at={first_at} />
          </>
        ),
      }))}
    />
  )
}

function Examples({ examples }: Pick<LimitSimulation, 'examples'>) {
  if (examples.length === 0) return null
  return (
    <div className="grid gap-1 text-caption">
      <h3 className="font-medium text-muted">For example</h3>
      <ul className="grid gap-1">
        {examples.slice(0, EXAMPLES_SHOWN).map(({ request_id, at, rule }) => (
          <li key={request_id}>
            <TextLink to={`/requests/${encodeURIComponent(request_id)}`}>
              <ClockTime at={at} />, {ruleText(rule)}
            </TextLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
