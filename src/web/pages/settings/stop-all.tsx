import { Ban, History, KeyRound, LoaderCircle } from 'lucide-react'
import { useRef } from 'react'
import { useToasts } from '../../app-context.ts'
import { type Consequence, ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { classNames } from '../../components/class-names.ts'
import { reasonOf } from '../../components/error-state.tsx'
import { Switch } from '../../components/switch.tsx'
import { plural } from '../../format/count.ts'
import { useChangeSettings, useTotal } from './data.ts'

/** One switch that refuses every inference call. Stopping asks first; going on counts at once. */
export function StopAll({ isPaused }: { isPaused: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const change = useChangeSettings()
  const toasts = useToasts()
  const set = (paused: boolean) => change({ routing: { paused: paused ? true : null } })
  async function goOn(): Promise<void> {
    try {
      await set(false)
      toasts.done('Requests are answered again')
    } catch (cause) {
      toasts.failed(`Spending is still stopped. ${reasonOf(cause)}`)
    }
  }
  async function stop(): Promise<void> {
    await set(true)
    toasts.done('All spending is stopped')
  }
  return (
    <section
      aria-label="Stop all spending"
      className={classNames(
        'flex items-start gap-4 rounded-card border p-4',
        isPaused ? 'border-transparent bg-danger-soft text-danger' : 'border-line bg-surface',
      )}
    >
      <div className="min-w-0 flex-1">
        <h2 className="text-section font-semibold" title="routing.paused">
          {isPaused ? 'All spending is stopped' : 'Stop all spending'}
        </h2>
        <p className={classNames('mt-0.5 text-dense', !isPaused && 'text-muted')}>
          {isPaused
            ? 'Every inference call is refused with 503, whatever its key. Switch it off to answer again.'
            : 'Refuses every inference call at once, whatever its key. This counts without saving.'}
        </p>
      </div>
      <Switch
        hideLabel
        label="Stop all spending"
        checked={isPaused}
        onChange={(stops) => (stops ? dialog.current?.showModal() : void goOn())}
      />
      <ConfirmDestructive
        dialog={dialog}
        title="Stop all spending?"
        consequences={useConsequences()}
        act="Stop all spending"
        onConfirm={stop}
      />
    </section>
  )
}

function useConsequences(): Consequence[] {
  const keys = useTotal('/v1/keys')
  const open = useTotal('/v1/usage/requests', { status: 'open' })
  return [
    {
      icon: Ban,
      tone: 'danger',
      text: 'Every inference call is refused with 503 from now on. Clients are told to try again a minute later.',
    },
    {
      icon: KeyRound,
      tone: 'caution',
      text: keysSentence(keys),
    },
    {
      icon: LoaderCircle,
      tone: 'plain',
      text: open ? `${plural(open, 'request')} in flight will finish.` : 'Requests in flight will finish.',
    },
    { icon: History, tone: 'plain', text: 'Switching it off again answers at once. Both are in the audit log.' },
  ]
}

function keysSentence(keys: number | undefined): string {
  if (keys === undefined) return 'This concerns every key.'
  if (keys === 0) return 'There is no key yet: nobody is refused.'
  return keys === 1 ? 'The only key is refused.' : `All ${plural(keys, 'key')} are refused.`
}
