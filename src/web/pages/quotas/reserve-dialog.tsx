import type { RefObject } from 'react'
import { useToasts } from '../../app-context.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { useForm } from '../../components/use-form.ts'
import { useRenewQuotas } from '../../quota-reset.ts'
import { aboutText } from '../../quota-words.ts'
import type { Quota } from '../../wire.ts'
import { quotas } from './data.ts'

export interface ActDialogProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly quota: Quota
  /** Of the account. */
  readonly name: string
}

interface Reserve {
  /** Null: nothing. */
  readonly reserve_pct: number | null
}

/** How much of a quota is kept for the keys that matter most. */
export function ReserveDialog({ dialog, quota, name }: ActDialogProps) {
  const { mutateAsync } = quotas.useChange()
  const renew = useRenewQuotas()
  const toasts = useToasts()
  const about = aboutText(quota)
  const close = (): void => dialog.current?.close()
  const form = useForm<Reserve>({
    initial: { reserve_pct: quota.reserve_pct },
    save: async ({ value: { reserve_pct } }) => {
      await mutateAsync({ id: quota.id, draft: { reserve_pct } })
      await renew()
      const kept = reserve_pct === null || reserve_pct === 0 ? 'Nothing' : `${reserve_pct} %`
      toasts.done(`${kept} of ${about.toLowerCase()} of “${name}” is kept back`)
    },
  })
  return (
    <Dialog ref={dialog} title={`Keep a share of ${about.toLowerCase()} back`} onClose={form.discard}>
      <Form form={form} isNew unguarded saveLabel="Keep it back" onCancel={close} onSaved={close}>
        <p className="text-dense text-muted">
          Once no more than this is left, only keys with a priority above 0 may use “{name}” until the reset. Others use
          other accounts, or are refused as if it were used up.
        </p>
        <Field label="Kept back, percent" name="reserve_pct" hint="0 keeps nothing back.">
          <NumberInput
            value={form.value.reserve_pct}
            placeholder="0"
            onChange={(reserve_pct) => form.set('reserve_pct', reserve_pct)}
          />
        </Field>
      </Form>
    </Dialog>
  )
}
