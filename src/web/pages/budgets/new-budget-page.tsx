import { useRef } from 'react'
import { type SearchParams, useGo, useSearch } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { budgetHref, budgets } from '../../budgets.ts'
import { SCOPES } from '../../budget-words.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { LimitTrialCard } from '../../components/limit-trial-card.tsx'
import { ownTimeZone } from '../../components/time-zone-input.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { Budget } from '../../wire.ts'
import { type BudgetForm, EMPTY_BUDGET, newOf, triedOf } from './budget-draft.ts'
import { BudgetFields } from './budget-fields.tsx'

/** A new budget; the address may say what it is about. Its periods begin where the one who makes it is. */
export default function NewBudgetPage() {
  const go = useGo()
  const toasts = useToasts()
  const [search] = useSearch()
  const create = budgets.useCreate()
  const created = useRef<Budget>(undefined)
  const form = useForm<BudgetForm>({
    initial: { ...EMPTY_BUDGET, timezone: ownTimeZone(), ...scopeIn(search) },
    save: async ({ value }) => {
      created.current = await create.mutateAsync(newOf(value))
    },
  })
  function onSaved(): void {
    if (created.current === undefined) return
    toasts.done(`Budget “${created.current.name}” added`)
    go(budgetHref(created.current))
  }
  return (
    <Page title="New budget" docs="budgets" trail={[{ label: 'Budgets', to: '/budgets' }]}>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,48rem)_24rem]">
        <Card>
          <Form form={form} isNew saveLabel="Add budget" onCancel={() => go('/budgets')} onSaved={onSaved}>
            <BudgetFields form={form} isNew />
          </Form>
        </Card>
        <div className="xl:sticky xl:top-17">
          <LimitTrialCard draft={{ budget: triedOf(form.value) }} whose="all requests" />
        </div>
      </div>
    </Page>
  )
}

function scopeIn({ scope: wanted, scope_id: id = '' }: SearchParams): Partial<BudgetForm> {
  const scope = SCOPES.find(({ value }) => value === wanted)?.value
  return scope === undefined ? {} : { scope, scope_id: id }
}
