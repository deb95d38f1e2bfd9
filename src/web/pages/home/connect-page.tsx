import { useCallback, useState } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { Page } from '../../shell/page.tsx'
import type { LoggedRequest, RequestList } from '../../wire.ts'
import { AccountStep } from './account-step.tsx'
import { ArrivalStep } from './arrival-step.tsx'
import { accounts, useGatewayModels } from '../../gateway-models.ts'
import { type HeldKey, KeyStep } from './key-step.tsx'
import { LastRequests } from './last-requests.tsx'
import { NextSteps } from './next-steps.tsx'
import { useRecentRequests } from '../../recent-requests.ts'
import { type StepState, Steps } from './stepper.tsx'
import { ToolStep, useTool } from './tool-step.tsx'
import { TryIt } from './try-it.tsx'

const LOOK_EVERY_MS = 2_000

/** From nothing to a tool that answers: account, key, tool, first request. */
export default function ConnectPage() {
  const [held, setHeld] = useState<HeldKey>()
  const [isSkipped, setSkipped] = useState(false)
  const [tried, setTried] = useState<readonly string[]>([])
  const [tool] = useTool()
  const models = useGatewayModels()
  const recent = useRecentRequests({ everyMs: LOOK_EVERY_MS })
  const connected = accounts.useList({ limit: 3 }).data?.metadata.total ?? 0
  const arrivals = useArrivals(recent.data, held)
  const ofTool = arrivals.find(({ id }) => !tried.includes(id))
  const arrived = ofTool ?? arrivals[0]
  const states = statesOf([connected > 0 || isSkipped, held !== undefined, ofTool !== undefined, arrived !== undefined])
  const onRequest = useCallback((id: string) => setTried((ids) => [...ids, id]), [])
  return (
    <Page title="Connect" docs="connect-a-tool">
      <h2 className="text-page font-semibold">Connect in one minute</h2>
      <p className="mt-1 text-body text-muted">
        Your gateway answers at{' '}
        <span className="inline-flex max-w-full items-center gap-1">
          <code className="truncate text-dense text-ink">{location.origin}</code>
          <CopyButton text={location.origin} label="Copy the address" />
        </span>
      </p>
      <div className="mt-5 grid items-start gap-5 xl:grid-cols-[minmax(0,5fr)_minmax(20rem,3fr)]">
        <Steps>
          <AccountStep state={states[0]} onSkip={() => setSkipped(true)} />
          <KeyStep state={states[1]} held={held} onHold={setHeld} />
          <ToolStep state={states[2]} held={held} models={models} arrived={ofTool} />
          <ArrivalStep
            state={states[3]}
            tool={tool.label}
            keyName={held?.name ?? 'your key'}
            model={models.preferred}
            request={arrived}
            isOwn={arrived !== undefined && ofTool === undefined}
          />
        </Steps>
        <div className="grid gap-4">
          <TryIt held={held} onHold={setHeld} onRequest={onRequest} models={models} />
          <LastRequests query={recent} />
          <NextSteps />
        </div>
      </div>
    </Page>
  )
}

/** Requests since the page was opened, of the key in hand when it is known. Times are the server's throughout. */
function useArrivals(list: RequestList | undefined, held: HeldKey | undefined): readonly LoggedRequest[] {
  const [since, setSince] = useState<string>()
  if (since === undefined && list !== undefined) setSince(list.data[0]?.at ?? '')
  if (since === undefined || list === undefined) return []
  return list.data.filter(({ key_id, at }) => at > since && (held?.id === undefined || key_id === held.id))
}

type Done = readonly [account: boolean, key: boolean, tool: boolean, arrival: boolean]

/** The first that is not done is the one to do now. */
function statesOf(done: Done): readonly [StepState, StepState, StepState, StepState] {
  const now = done.indexOf(false)
  const state = (at: number): StepState => (done[at] ? 'done' : at === now ? 'current' : 'ahead')
  return [state(0), state(1), state(2), state(3)]
}
