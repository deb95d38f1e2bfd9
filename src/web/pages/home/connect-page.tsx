import { useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { Page } from '../../shell/page.tsx'
import type { LoggedRequest, RequestList } from '../../wire.ts'
import { AccountStep } from './account-step.tsx'
import { ArrivalStep } from './arrival-step.tsx'
import { accounts, useGatewayModels } from './gateway-models.ts'
import { type HeldKey, KeyStep } from './key-step.tsx'
import { LastRequests } from './last-requests.tsx'
import { NextSteps } from './next-steps.tsx'
import { useRecentRequests } from './recent-requests.ts'
import { type StepState, Steps } from './stepper.tsx'
import { ToolStep, useTool } from './tool-step.tsx'
import { TryIt } from './try-it.tsx'

const LOOK_EVERY_MS = 2_000

/** From nothing to a tool that answers: account, key, tool, first request. */
export default function ConnectPage() {
  const [held, setHeld] = useState<HeldKey>()
  const [isSkipped, setSkipped] = useState(false)
  const [tool] = useTool()
  const models = useGatewayModels()
  const recent = useRecentRequests({ everyMs: LOOK_EVERY_MS })
  const connected = accounts.useList({ limit: 3 }).data?.metadata.total ?? 0
  const arrived = useArrived(recent.data, held)
  const states = statesOf([
    connected > 0 || isSkipped,
    held !== undefined,
    arrived !== undefined,
    arrived !== undefined,
  ])
  return (
    <Page title="Connect">
      <h2 className="text-page font-semibold">Connect in one minute</h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-1 text-body text-muted">
        Your gateway answers at <code className="ml-1 text-dense text-ink">{location.origin}</code>
        <CopyButton text={location.origin} label="Copy the address" />
      </p>
      <div className="mt-5 grid items-start gap-5 xl:grid-cols-[minmax(0,5fr)_minmax(20rem,3fr)]">
        <Steps>
          <AccountStep state={states[0]} onSkip={() => setSkipped(true)} />
          <KeyStep state={states[1]} held={held} onHold={setHeld} />
          <ToolStep state={states[2]} held={held} models={models} arrived={arrived} />
          <ArrivalStep
            state={states[3]}
            tool={tool.label}
            keyName={held?.name ?? 'your key'}
            model={models.preferred}
            request={arrived}
          />
        </Steps>
        <div className="grid gap-4">
          <TryIt held={held} onHold={setHeld} models={models} />
          <LastRequests query={recent} />
          <NextSteps />
        </div>
      </div>
    </Page>
  )
}

/** The newest request since the page was opened, of the key in hand when it is known. Times are the server's throughout. */
function useArrived(list: RequestList | undefined, held: HeldKey | undefined): LoggedRequest | undefined {
  const [since, setSince] = useState<string>()
  if (since === undefined && list !== undefined) setSince(list.data[0]?.at ?? '')
  if (since === undefined) return undefined
  return list?.data.find(({ key_id, at }) => at > since && (held?.id === undefined || key_id === held.id))
}

type Done = readonly [account: boolean, key: boolean, tool: boolean, arrival: boolean]

/** The first that is not done is the one to do now. */
function statesOf(done: Done): readonly [StepState, StepState, StepState, StepState] {
  const now = done.indexOf(false)
  const state = (at: number): StepState => (done[at] ? 'done' : at === now ? 'current' : 'ahead')
  return [state(0), state(1), state(2), state(3)]
}
