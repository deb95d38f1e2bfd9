import { CirclePause, CirclePlay, History, OctagonX, Trash2, TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import { useApi, useToasts } from '../../app-context.ts'
import { type Consequence, ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { plural } from '../../format/count.ts'
import { addressOf } from '../../resource.ts'
import type { Account, Provider } from '../../wire.ts'
import { accounts as resource, useRenew } from './data.ts'

export interface BulkActsProps {
  readonly provider: Provider
  readonly accounts: readonly Account[]
}

/** What is done with all accounts of a provider at once. */
export function BulkActs({ provider, accounts }: BulkActsProps) {
  const api = useApi()
  const toasts = useToasts()
  const renew = useRenew()
  const setEach = useSetEach()
  const disabling = useRef<HTMLDialogElement>(null)
  const clearing = useRef<HTMLDialogElement>(null)
  const deleting = useRef<HTMLDialogElement>(null)
  const path = `${addressOf('/v1/providers', provider.id)}/accounts`
  const enabled = accounts.filter((account) => account.enabled)
  const disabled = accounts.filter((account) => !account.enabled)

  async function switchAll(on: boolean): Promise<void> {
    const changed = on ? disabled : enabled
    await api.post(`${path}/${on ? 'enable' : 'disable'}-all`)
    await renew()
    toasts.done(`${plural(changed.length, 'account')} ${on ? 'enabled' : 'disabled'}`, () => setEach(changed, !on))
  }
  async function remove(which: 'disabled' | 'all'): Promise<void> {
    toasts.done(sentence(await api.remove(`${path}/${which}`)))
    await renew()
  }
  const failed = (cause: unknown): void => toasts.failed(reasonOf(cause))

  if (accounts.length === 0) return null
  return (
    <>
      <Menu label="All accounts">
        {disabled.length > 0 && (
          <MenuItem icon={CirclePlay} onSelect={() => void switchAll(true).catch(failed)}>
            Enable all
          </MenuItem>
        )}
        {enabled.length > 0 && (
          <MenuItem icon={CirclePause} onSelect={() => disabling.current?.showModal()}>
            Disable all…
          </MenuItem>
        )}
        {disabled.length > 0 && (
          <MenuItem icon={Trash2} danger onSelect={() => clearing.current?.showModal()}>
            Delete the disabled…
          </MenuItem>
        )}
        <MenuItem icon={Trash2} danger onSelect={() => deleting.current?.showModal()}>
          Delete all…
        </MenuItem>
      </Menu>
      <ConfirmDestructive
        dialog={disabling}
        title={`Disable ${plural(enabled.length, 'account')} of ${provider.name}?`}
        consequences={[nothingLeft(provider), { icon: CirclePlay, tone: 'plain', text: 'They can be enabled again.' }]}
        act="Disable"
        onConfirm={() => switchAll(false)}
      />
      <ConfirmDestructive
        dialog={clearing}
        title={`Delete ${plural(disabled.length, 'disabled account')} of ${provider.name}?`}
        consequences={[
          { icon: CirclePause, tone: 'plain', text: 'No request uses them now.' },
          credentialsGo(disabled),
          LOG_STAYS,
        ]}
        act="Delete"
        onConfirm={() => remove('disabled')}
      />
      <ConfirmDestructive
        dialog={deleting}
        title={`Delete all ${plural(accounts.length, 'account')} of ${provider.name}?`}
        consequences={[...(enabled.length > 0 ? [nothingLeft(provider)] : []), credentialsGo(accounts), LOG_STAYS]}
        act="Delete"
        onConfirm={() => remove('all')}
        {...(enabled.length > 0 && {
          typeToConfirm: provider.id,
          instead: { label: 'Disable instead', onClick: () => void switchAll(false).catch(failed) },
        })}
      />
    </>
  )
}

const LOG_STAYS: Consequence = { icon: History, tone: 'plain', text: 'Their requests and costs stay in the log.' }

function nothingLeft({ id }: Provider): Consequence {
  const text = (
    <>
      Requests for <code>{id}/…</code> have no account left and are refused, unless a client may use another provider.
    </>
  )
  return { icon: OctagonX, tone: 'danger', text }
}

function credentialsGo(accounts: readonly Account[]): Consequence {
  const names = accounts.map(({ name }) => name)
  const listed = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  return {
    icon: TriangleAlert,
    tone: 'caution',
    text: `The stored credentials of ${listed} are gone, and cannot be brought back.`,
  }
}

/** Takes a switch of several back, one by one: there is no call for some of them. */
function useSetEach(): (accounts: readonly Account[], enabled: boolean) => void {
  const { mutateAsync } = resource.useChange()
  const renew = useRenew()
  const toasts = useToasts()
  return (accounts, enabled) => {
    Promise.all(accounts.map(({ id }) => mutateAsync({ id, draft: { enabled } })))
      .then(renew)
      .catch((cause: unknown) => toasts.failed(reasonOf(cause)))
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
