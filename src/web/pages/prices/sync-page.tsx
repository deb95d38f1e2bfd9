import { Download } from 'lucide-react'
import { useToasts } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { ClockTime } from '../../components/time.tsx'
import { countText, plural } from '../../format/count.ts'
import { type FoundRates, useSyncRates } from '../../prices.ts'
import { Page } from '../../shell/page.tsx'
import { ChangesTable } from './changes-table.tsx'

const TRAIL = [
  { label: 'Models', to: '/models' },
  { label: 'Prices', to: '/models/prices' },
] as const

/** Newer prices from outside: first what would change, then in earnest. */
export default function SyncPage() {
  const look = useSyncRates(true)
  const take = useSyncRates(false)
  const toasts = useToasts()
  const shown = take.data ?? look.data
  const error = take.error ?? look.error
  const onTake = (): void =>
    take.mutate(undefined, {
      onSuccess: (outcome) => toasts.done(`Taken over: ${sentence(outcome)}. They count from now on.`),
    })
  const onLook = (): void => {
    take.reset()
    look.mutate()
  }
  return (
    <Page
      title="Newer prices"
      docs="prices"
      trail={TRAIL}
      actions={
        <Button icon={Download} busy={look.isPending} onClick={onLook}>
          {shown === undefined ? 'Look for newer prices' : 'Look again'}
        </Button>
      }
    >
      <div className="grid gap-4">
        {error && (
          <Callout tone="danger" alert>
            The prices could not be fetched. {reasonOf(error)} Nothing was changed.
          </Callout>
        )}
        {shown === undefined ? (
          <Untried />
        ) : (
          <Outcome outcome={shown} isTaken={take.data !== undefined} isTaking={take.isPending} onTake={onTake} />
        )}
      </div>
    </Page>
  )
}

function Untried() {
  return (
    <Card>
      <EmptyState
        title="Nothing has been fetched yet"
        action={<ButtonLink to="/settings?open=pricing">Where they come from</ButtonLink>}
      >
        Looking changes nothing: you see each price before and after, and take them over or leave them.
      </EmptyState>
    </Card>
  )
}

interface OutcomeProps {
  readonly outcome: FoundRates
  readonly isTaken: boolean
  readonly isTaking: boolean
  readonly onTake: () => void
}

function Outcome({ outcome, isTaken, isTaking, onTake }: OutcomeProps) {
  const { changed, held, added, counts, fetched_at } = outcome
  // Models that the file does not have keep the price that they have.
  const isSame = counts.changed === 0 && added === 0
  return (
    <>
      <Callout
        tone={isTaken ? 'clear' : 'info'}
        action={
          !isTaken &&
          !isSame && (
            <Button tone="primary" busy={isTaking} onClick={onTake}>
              Take them over
            </Button>
          )
        }
      >
        <span role="status">
          {isSame
            ? 'Nothing differs from what counts here.'
            : `${isTaken ? 'Taken over' : 'It would be'}: ${sentence(outcome)}.`}{' '}
          Fetched <ClockTime at={fetched_at} />.
        </span>
      </Callout>
      {held.length > 0 && (
        <Card
          title="Held back"
          aside={`${countText(counts.held)} would change more than tenfold and stay as they are`}
          flush
        >
          <ChangesTable label="Held back" changes={held} isHeld />
        </Card>
      )}
      {changed.length > 0 && (
        <Card title="Prices that differ" aside={shownOf(changed.length, counts.changed)} flush>
          <ChangesTable label="Prices that differ" changes={changed} />
        </Card>
      )}
    </>
  )
}

function sentence({ counts, added, removed }: FoundRates): string {
  return [
    `${plural(counts.changed, 'price')} changed`,
    `${plural(added, 'model')} new`,
    `${plural(removed, 'model')} not in it`,
    ...(counts.held > 0 ? [`${countText(counts.held)} held back`] : []),
  ].join(', ')
}

function shownOf(shown: number, all: number): string {
  return shown === all ? countText(all) : `the first ${countText(shown)} of ${countText(all)}`
}
