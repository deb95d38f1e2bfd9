import { Pause, Play, RotateCcw, ShieldHalf, Trash2 } from 'lucide-react'
import { useToasts } from '../../app-context.ts'
import { RowControl } from '../../components/data-table.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { useAccountName } from '../../names.tsx'
import { useRenewQuotas } from '../../quota-reset.ts'
import { aboutText } from '../../quota-words.ts'
import type { Quota } from '../../wire.ts'
import { quotas } from './data.ts'

/** What is asked about before it is done. */
export interface Asked {
  readonly act: 'reserve' | 'forget' | 'reset'
  readonly quota: Quota
}

export interface QuotaActsProps {
  readonly quota: Quota
  readonly onAsk: (asked: Asked) => void
}

/** What an operator does with a quota: have routing ignore it, keep a share of it back, forget it, or say that the account's limits are over. */
export function QuotaActs({ quota, onAsk }: QuotaActsProps) {
  const name = useAccountName(quota.account_id) ?? quota.account_id
  const pause = usePause(quota, name)
  return (
    <RowControl>
      <Menu label={`Acts on ${aboutText(quota)} of ${name}`}>
        <MenuItem icon={quota.paused ? Play : Pause} onSelect={() => void pause(!quota.paused)}>
          {quota.paused ? 'Let routing heed it' : 'Have routing ignore it'}
        </MenuItem>
        <MenuItem icon={ShieldHalf} onSelect={() => onAsk({ act: 'reserve', quota })}>
          Keep a share back…
        </MenuItem>
        <MenuItem icon={RotateCcw} onSelect={() => onAsk({ act: 'reset', quota })}>
          Reset the account’s limits…
        </MenuItem>
        <MenuItem icon={Trash2} danger onSelect={() => onAsk({ act: 'forget', quota })}>
          Forget it…
        </MenuItem>
      </Menu>
    </RowControl>
  )
}

/** At once, with a way back. */
function usePause({ id, ...quota }: Quota, name: string): (paused: boolean) => Promise<void> {
  const { mutateAsync } = quotas.useChange()
  const renew = useRenewQuotas()
  const toasts = useToasts()
  return async function set(paused) {
    try {
      await mutateAsync({ id, draft: { paused } })
      await renew()
      const about = `${aboutText(quota)} of “${name}”`
      toasts.done(paused ? `Routing ignores ${about}` : `Routing heeds ${about}`, () => void set(!paused))
    } catch (cause) {
      toasts.failed(reasonOf(cause))
    }
  }
}
