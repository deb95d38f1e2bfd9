import { CircleCheck, CircleDashed, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import { Callout } from '../../components/callout.tsx'
import { Figure, FigureRow } from '../../components/figure.tsx'
import { BigDuration } from '../../components/quantity.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { classNames } from '../../components/class-names.ts'
import { percentText } from '../../format/count.ts'
import type { Provider } from '../../wire.ts'

type Health = Provider['health']

interface Look {
  readonly icon: LucideIcon
  readonly word: string
  readonly className: string
}

const LOOKS: Readonly<Record<Health['status'], Look>> = {
  ok: { icon: CircleCheck, word: 'Healthy', className: 'text-clear' },
  degraded: { icon: TriangleAlert, word: 'Unsteady', className: 'text-caution' },
  down: { icon: OctagonX, word: 'Down', className: 'text-danger' },
  unknown: { icon: CircleDashed, word: 'No traffic yet', className: 'text-muted' },
}

/** How a provider has answered in the last minutes: shape and word. */
export function HealthWord({ health: { status } }: { health: Health }) {
  const { icon: Icon, word, className } = LOOKS[status]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={classNames('shrink-0', className)} />
      {word}
    </span>
  )
}

const CIRCUITS: Readonly<Record<Health['circuit'], { readonly word: string; readonly below: string }>> = {
  closed: { word: 'Closed', below: 'requests pass' },
  open: { word: 'Open', below: 'it is left alone' },
  half_open: { word: 'Half open', below: 'one request tries it' },
}

/** The figures behind the word. They are of this process: a restart is a fresh look. */
export function ProviderHealth({ health }: { health: Health }) {
  const { error_rate_5m, p50_first_token_ms, circuit, last_ok_at } = health
  return (
    <div className="grid gap-4">
      <CircuitNote circuit={circuit} />
      <FigureRow>
        <Figure label="Health" value={<HealthWord health={health} />} below="of the last five minutes" />
        <Figure
          label="Failed, 5 min"
          value={error_rate_5m === null ? '–' : percentText(error_rate_5m)}
          below={error_rate_5m === null ? 'no calls' : 'of its calls'}
        />
        <Figure label="First token, median" value={<BigDuration ms={p50_first_token_ms} />} />
        <Figure label="Circuit" value={CIRCUITS[circuit].word} below={CIRCUITS[circuit].below} />
        <Figure label="Last answer" value={<RelativeTime at={last_ok_at} never="–" />} />
      </FigureRow>
    </div>
  )
}

/** What becomes of requests while the provider is left alone; nothing while they pass. */
export function CircuitNote({ circuit }: Pick<Health, 'circuit'>) {
  if (circuit === 'closed') return null
  return (
    <Callout tone={circuit === 'open' ? 'danger' : 'caution'}>
      {circuit === 'open'
        ? 'The provider failed so often that requests leave it alone for a while: they use other providers, or are refused.'
        : 'The provider failed often. One request at a time finds out whether it is back.'}
    </Callout>
  )
}
