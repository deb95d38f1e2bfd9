import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiError } from '../../api-error.ts'
import { Callout } from '../../components/callout.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { type Ask, type AskMode, pastedBody } from './ask.ts'
import { AskFields } from './ask-fields.tsx'
import type { ChainFields } from './chain-draft.ts'
import type { Simulated } from './data.ts'
import { faultsOf } from './live-errors.tsx'
import { PastOutcome } from './past-outcome.tsx'
import { RequestOutcome } from './request-outcome.tsx'

export interface SimulationProps {
  readonly fields: ChainFields
  readonly ask: Ask
  readonly onAsk: (ask: Ask) => void
  readonly simulation: UseQueryResult<Simulated, ApiError>
}

const MODES: readonly { readonly value: AskMode; readonly label: string }[] = [
  { value: 'describe', label: 'A request' },
  { value: 'paste', label: 'Pasted' },
  { value: 'past', label: 'The last 100' },
]

/** What the chain would do as it is typed now, again after each change. */
export function Simulation({ fields, ask, onAsk, simulation }: SimulationProps) {
  return (
    <div className="grid gap-4">
      <Segmented label="What is tried" value={ask.mode} options={MODES} onChange={(mode) => onAsk({ ...ask, mode })} />
      <AskFields ask={ask} onAsk={onAsk} />
      <div aria-live="polite" className="border-t border-line pt-3">
        <Outcome fields={fields} ask={ask} simulation={simulation} />
      </div>
    </div>
  )
}

function Outcome({ fields, ask, simulation }: Omit<SimulationProps, 'onAsk'>) {
  const { data, error } = simulation
  const missing = missingFor(fields, ask)
  if (missing !== undefined) return <p className="text-dense text-muted">{missing}</p>
  if (error !== null) {
    const isChainWrong = Object.keys(faultsOf(error)).length > 0
    const why = isChainWrong ? 'The chain cannot be saved as it is: see the fields that are marked.' : detailOf(error)
    return <Callout tone="caution">{why}</Callout>
  }
  if (data?.request) return <RequestOutcome trial={data.request} />
  if (data?.range) return <PastOutcome past={data.range} />
  return <p className="text-dense text-muted">Trying…</p>
}

function detailOf(error: ApiError): string {
  const [first] = Object.values(error.errors).flat()
  return first === undefined ? reasonOf(error) : `The request ${first}.`
}

/** Why nothing is tried yet. */
export function missingFor({ steps }: ChainFields, ask: Ask): string | undefined {
  if (steps.every(({ model }) => model === '')) return 'Name a model, and this says what becomes of a request.'
  const unnamed = steps.findIndex(({ model }) => model === '')
  if (unnamed >= 0) return `Step ${unnamed + 1} names no model yet.`
  if (ask.mode !== 'paste' || pastedBody(ask.body) !== undefined) return undefined
  return ask.body.trim() === '' ? 'Paste the body of a request.' : 'This is not the JSON of a request.'
}
