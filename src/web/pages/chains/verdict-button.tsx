import { ChevronUp } from 'lucide-react'
import { Money } from '../../components/money.tsx'
import { countText, plural } from '../../format/count.ts'
import { useAccountName } from '../../names.tsx'
import type { ChainSimulation } from '../../wire.ts'
import { Headline } from './request-outcome.tsx'
import { missingFor, type SimulationProps } from './simulation.tsx'
import { isAsked, type StepTrial } from './words.ts'

interface VerdictButtonProps extends Pick<SimulationProps, 'fields' | 'ask' | 'simulation'> {
  readonly onOpen: () => void
}

/** What the simulation says, in two lines that open the rest of it. */
export function VerdictButton({ fields, ask, simulation, onOpen }: VerdictButtonProps) {
  const { data, error } = simulation
  const isNone = missingFor(fields, ask) !== undefined || error !== null || data === undefined
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="touch flex w-full min-w-0 items-center gap-2.5 rounded-control text-left hover:bg-hover"
    >
      <span aria-live="polite" className="grid min-w-0 flex-1">
        {isNone ? <Nothing /> : data.request ? <OfRequest steps={data.request.steps} /> : <OfPast past={data.range} />}
      </span>
      <span className="sr-only">Open the simulation</span>
      <ChevronUp aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
    </button>
  )
}

const FIRST_LINE = 'flex min-w-0 items-center gap-2 text-dense font-semibold text-ink'

function Nothing() {
  return (
    <>
      <span className={FIRST_LINE}>Simulation</span>
      <span>Nothing to try it on yet</span>
    </>
  )
}

function OfRequest({ steps }: { steps: readonly StepTrial[] }) {
  const asked = steps.filter(isAsked)
  const account = useAccountName(asked[0]?.candidates.find(({ order }) => order === 1)?.account_id ?? null)
  const costs = asked.map(({ estimated_cost_usd: usd }) => usd)
  const sum = costs.reduce<number | null>((total, usd) => (total === null || usd === null ? null : total + usd), 0)
  return (
    <>
      <span className={FIRST_LINE}>
        <Headline steps={steps} />
      </span>
      <span className="truncate">
        {asked.length === 0 ? (
          'Each is passed over'
        ) : (
          <Money usd={sum} source={sum === null ? 'unknown' : sum === 0 ? 'free' : 'estimated'} />
        )}
        {asked.length === 1 && account !== undefined && ` · ${account}`}
      </span>
    </>
  )
}

function OfPast({ past }: { past: ChainSimulation['range'] }) {
  if (past === null || past.requests === 0) return <Nothing />
  return (
    <>
      <span className={FIRST_LINE}>
        {countText(past.moved)} of {plural(past.requests, 'request')} would move
      </span>
      <span className="truncate">
        <Money usd={past.before_usd} /> then, <Money usd={past.after_usd} source="estimated" /> with this chain
      </span>
    </>
  )
}
