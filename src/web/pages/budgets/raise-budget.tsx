import { type FormEvent, type RefObject, useId, useState } from 'react'
import { ApiError } from '../../api-error.ts'
import { useToasts } from '../../app-context.ts'
import { budgets, useRenewForecast } from '../../budgets.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Field } from '../../components/field.tsx'
import { messageFor } from '../../components/form-state.ts'
import { Input } from '../../components/input.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'
import type { Budget, BudgetChange } from '../../wire.ts'

type Override = NonNullable<BudgetChange['override']>

interface Grant {
  readonly extraUsd: number | null
  /** For so many periods, or until a moment. */
  readonly length: '1' | '2' | '3' | 'until'
  readonly until: string
  readonly reason: string
}

const LENGTHS = [
  { value: '1', label: 'for this period' },
  { value: '2', label: 'for this and the next' },
  { value: '3', label: 'for three periods' },
  { value: 'until', label: 'until' },
] as const

/** More for a while, without changing the budget: it ends by itself, and the audit log has the reason. */
export function RaiseBudget({ dialog, budget }: { dialog: RefObject<HTMLDialogElement | null>; budget: Budget }) {
  const isCalendar = budget.period !== 'rolling' && budget.period !== 'total'
  const [grant, setGrant] = useState<Grant>({
    extraUsd: null,
    length: isCalendar ? '1' : 'until',
    until: '',
    reason: '',
  })
  const { error, isPending, raise, reset } = useRaise(budget)
  const formId = useId()
  const put = (change: Partial<Grant>): void => setGrant({ ...grant, ...change })
  const errorOf = (name: string): string | undefined => error && messageFor(error.errors, `override.${name}`)
  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!isPending && (await raise(overrideOf(grant)))) dialog.current?.close()
  }
  return (
    <Dialog
      ref={dialog}
      title={`Raise “${budget.name}” for a while?`}
      onClose={reset}
      footer={
        <>
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button type="submit" form={formId} tone="primary" busy={isPending}>
            Raise
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void onSubmit(event)} className="grid gap-4">
        {error && Object.keys(error.errors).length === 0 && (
          <Callout tone="danger" alert>
            {reasonOf(error)}
          </Callout>
        )}
        <Field label="By, dollars" error={errorOf('extra_usd')}>
          <NumberInput className="max-w-32" value={grant.extraUsd} onChange={(extraUsd) => put({ extraUsd })} />
        </Field>
        {isCalendar && (
          <Field label="How long" error={errorOf('cycles')}>
            <Select value={grant.length} options={LENGTHS} onChange={(length) => put({ length })} />
          </Field>
        )}
        {grant.length === 'until' && (
          <Field label="Until" hint="In your time zone." error={errorOf('until')}>
            <Input
              type="datetime-local"
              className="max-w-60"
              value={grant.until}
              onChange={({ target }) => put({ until: target.value })}
            />
          </Field>
        )}
        <Field label="Reason" hint="The audit log keeps it." error={errorOf('reason')}>
          <Input maxLength={500} value={grant.reason} onChange={({ target }) => put({ reason: target.value })} />
        </Field>
      </form>
    </Dialog>
  )
}

/** What is missing stays missing, for the server to say so beside its field. */
function overrideOf({ extraUsd, length, until, reason }: Grant): Override {
  const moment = new Date(until)
  return {
    extra_usd: extraUsd ?? 0,
    reason,
    ...(length !== 'until' && { cycles: Number(length) }),
    ...(length === 'until' && { until: Number.isNaN(moment.getTime()) ? '' : moment.toISOString() }),
  }
}

function useRaise({ id, version }: Budget) {
  const change = budgets.useChange()
  const renew = useRenewForecast(id)
  const toasts = useToasts()
  /** True when it was granted. */
  async function raise(override: Override): Promise<boolean> {
    try {
      const { name } = await change.mutateAsync({ id, draft: { override }, version })
      await renew()
      toasts.done(`“${name}” is raised`)
      return true
    } catch (cause) {
      if (cause instanceof ApiError) return false
      throw cause
    }
  }
  return { error: change.error ?? undefined, isPending: change.isPending, raise, reset: change.reset }
}
