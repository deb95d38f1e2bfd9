import { Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { accountStatus, Status } from '../../components/status.tsx'
import { plural } from '../../format/count.ts'
import type { Account, Provider } from '../../wire.ts'
import { accounts } from '../../gateway-models.ts'
import { ProviderPicker } from './provider-picker.tsx'
import { Step, type StepState } from './stepper.tsx'

const SHOWN_MAX = 3

/** Loaded when a provider is chosen: most visits of this page never get there. */
const AccountForm = lazy(async () => ({ default: (await import('./account-form.tsx')).AccountForm }))

export interface AccountStepProps {
  readonly state: StepState
  readonly onSkip: () => void
}

/** Step 1: an account at a provider. It can be left out, because the demo needs none. */
export function AccountStep({ state, onSkip }: AccountStepProps) {
  const list = accounts.useList({ limit: SHOWN_MAX })
  const [isAdding, setAdding] = useState(false)
  const total = list.data?.metadata.total ?? 0
  const isOpen = isAdding || (state === 'current' && list.data !== undefined && total === 0)
  const opener = useFocusBack(isOpen)
  return (
    <Step
      number={1}
      state={state}
      title="Add an account"
      aside={
        total === 0 ? (state === 'done' ? 'skipped, the demo needs none' : 'at a provider, with its key') : undefined
      }
      action={
        !isOpen && (
          <Button ref={opener} icon={Plus} onClick={() => setAdding(true)}>
            {total === 0 ? 'Add one' : 'Another'}
          </Button>
        )
      }
    >
      <Loaded query={list} what="The accounts could not be read">
        {({ data }) => <Connected accounts={data} total={total} />}
      </Loaded>
      {isOpen && (
        <NewAccount
          isAsked={isAdding}
          onSaved={() => setAdding(false)}
          onCancel={
            total > 0 || state === 'done'
              ? { label: 'Cancel', act: () => setAdding(false) }
              : { label: 'Skip, use the demo', act: onSkip }
          }
        />
      )}
    </Step>
  )
}

function Connected({ accounts, total }: { accounts: readonly Account[]; total: number }) {
  if (accounts.length === 0) return null
  return (
    <ul className="mt-1 grid gap-1 text-dense">
      {accounts.map(({ id, provider, name, status }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3">
          <span>
            <span className="text-muted">{provider} · </span>
            <span className="font-medium">{name}</span>
          </span>
          <Status name={accountStatus(status)} />
        </li>
      ))}
      {total > accounts.length && <li className="text-muted">and {plural(total - accounts.length, 'more account')}</li>}
    </ul>
  )
}

/** When the form goes, so does the control that closed it: the focus goes to the button that opens it again. */
function useFocusBack(isOpen: boolean) {
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return opener
}

interface NewAccountProps {
  /** Opened by the reader, not because there is none yet. */
  readonly isAsked: boolean
  readonly onSaved: () => void
  readonly onCancel: { readonly label: string; readonly act: () => void }
}

/** First whose account it is, then what that provider asks for. */
function NewAccount({ isAsked, onSaved, onCancel }: NewAccountProps) {
  const [provider, setProvider] = useState<Provider>()
  const [isBack, setBack] = useState(false)
  return (
    <div className="mt-3 border-t border-line pt-4">
      {provider === undefined ? (
        <>
          <ProviderPicker autoFocus={isAsked || isBack} onPick={setProvider} />
          <div className="mt-3">
            <Button tone="quiet" onClick={onCancel.act}>
              {onCancel.label}
            </Button>
          </div>
        </>
      ) : (
        <Suspense fallback={<Spinner />}>
          <AccountForm
            key={provider.id}
            provider={provider}
            onBack={() => {
              setProvider(undefined)
              setBack(true)
            }}
            onSaved={onSaved}
          />
        </Suspense>
      )}
    </div>
  )
}
