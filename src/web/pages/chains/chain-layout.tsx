import { type ReactNode, useRef } from 'react'
import { Card } from '../../components/card.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useMedia } from '../../components/use-media.ts'
import { Simulation, type SimulationProps } from './simulation.tsx'
import { VerdictButton } from './verdict-button.tsx'

interface ChainLayoutProps {
  readonly simulation: SimulationProps
  /** The form. `status` belongs in its bar: what the simulation says, where there is no room beside the form. */
  readonly children: (status: ReactNode | undefined) => ReactNode
  readonly below?: ReactNode
}

/** The `xl` of the style sheet. */
const WIDE = '(width >= 80rem)'

/** A chain's form with the simulation beside it, or in a sheet that a line in the bar opens. */
export function ChainLayout({ simulation, children, below }: ChainLayoutProps) {
  const isWide = useMedia(WIDE)
  const sheet = useRef<HTMLDialogElement>(null)
  if (isWide) {
    return (
      <div className="grid max-w-420 grid-cols-[minmax(0,1fr)_24rem] items-start gap-4">
        <div className="grid gap-4">
          <Card>{children(undefined)}</Card>
          {below}
        </div>
        <div className="sticky top-17">
          <Card title="Simulation" aside="nothing is sent">
            <Simulation {...simulation} />
          </Card>
        </div>
      </div>
    )
  }
  return (
    <div className="grid gap-4">
      <Card>{children(<VerdictButton {...simulation} onOpen={() => sheet.current?.showModal()} />)}</Card>
      {below}
      <Dialog ref={sheet} sheet title="Simulation: nothing is sent">
        <Simulation {...simulation} />
      </Dialog>
    </div>
  )
}
