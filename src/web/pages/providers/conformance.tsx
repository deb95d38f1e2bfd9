import { type RefObject, useImperativeHandle, useRef, useState } from 'react'
import type { Account, Provider } from '../../wire.ts'
import { CheckConformance } from './check-conformance.tsx'
import { ConformanceCard } from './conformance-card.tsx'
import { useConformance } from './conformance-data.ts'
import { usableNow } from './usable.ts'

export interface ConformanceHandle {
  /** Asks whether to check, with this account. */
  readonly ask: (accountId: string) => void
}

export interface ConformanceProps {
  readonly ref: RefObject<ConformanceHandle | null>
  readonly provider: Provider
  readonly accounts: readonly [Account, ...Account[]]
}

/** The check of a provider: its card, and the question before it. */
export function Conformance({ ref, provider, accounts }: ConformanceProps) {
  const [usual] = [...usableNow(accounts), accounts[0]]
  const [accountId, setAccountId] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const run = useConformance(provider.id, accounts[0])
  const chosen = accounts.find(({ id }) => id === accountId) ?? usual ?? accounts[0]
  const ask = (id: string): void => {
    setAccountId(id)
    setOpen(true)
    dialog.current?.showModal()
  }
  useImperativeHandle(ref, () => ({ ask }))
  return (
    <>
      <ConformanceCard provider={provider} run={run} onCheck={() => ask(chosen.id)} />
      <CheckConformance
        dialog={dialog}
        provider={provider}
        accounts={accounts}
        accountId={chosen.id}
        onAccount={setAccountId}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onCheck={run.check}
      />
    </>
  )
}
