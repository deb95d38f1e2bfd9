import { CircleAlert, Lightbulb, type LucideIcon, OctagonAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Facts } from '../../components/facts.tsx'
import { Money } from '../../components/money.tsx'
import { Duration } from '../../components/quantity.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { ClockTime } from '../../components/time.tsx'
import { countText, percentText } from '../../format/count.ts'
import type { UsageInsights } from '../../wire.ts'

type Finding = UsageInsights['findings'][number]

const LOOKS: Readonly<
  Record<Finding['severity'], { readonly icon: LucideIcon; readonly tone: string; readonly word: string }>
> = {
  critical: { icon: OctagonAlert, tone: 'text-danger', word: 'Critical' },
  warning: { icon: CircleAlert, tone: 'text-caution', word: 'Worth a look' },
  info: { icon: Lightbulb, tone: 'text-muted', word: 'Idea' },
}

/** What was found, what it follows from, and where something is done about it. */
export function FindingRow({ finding: { severity, text, evidence, action } }: { finding: Finding }) {
  const { icon: Icon, tone, word } = LOOKS[severity]
  return (
    <li className="flex gap-2.5 border-b border-line px-4 py-2.5 text-dense last:border-b-0">
      <Icon aria-label={word} size={16} strokeWidth={1.75} className={`mt-px shrink-0 ${tone}`} />
      <div className="min-w-0 flex-1">
        <p className="break-words">{text}</p>
        <p className="mt-1">
          <TextLink to={action.path}>{action.text}</TextLink>
        </p>
        <details className="mt-1 text-caption">
          <summary className="py-1 text-muted hover:text-ink">What this follows from</summary>
          <div className="mt-1.5 mb-1">
            <Facts items={Object.entries(evidence).map(([name, value]) => [wordsOf(name), shown(name, value)])} />
          </div>
        </details>
      </div>
    </li>
  )
}

/** `hit_rate` reads `Hit rate`; the unit is shown with the figure. */
function wordsOf(name: string): string {
  const words = name.replace(/_(usd|ms|at)$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function shown(name: string, value: Finding['evidence'][string]): ReactNode {
  if (value === null) return '–'
  if (typeof value === 'string') return name.endsWith('_at') ? <ClockTime at={value} /> : value
  if (name.endsWith('_usd')) return <Money usd={value} />
  if (name.endsWith('_ms')) return <Duration ms={value} />
  return /(^|_)(rate|share|ratio|rate_before)$/.test(name) ? percentText(value) : countText(value)
}
