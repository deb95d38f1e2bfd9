import { useGo, usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { budgetHref, budgets } from '../../budgets.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { LimitTrialCard } from '../../components/limit-trial-card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { Budget } from '../../wire.ts'
import { changeOf, formOf, triedOf } from './budget-draft.ts'
import { BudgetFields } from './budget-fields.tsx'

/** The rules of a budget that exists. Only what was changed is sent, with the version that it was changed from. */
export default function EditBudgetPage() {
  const id = usePathParam('budgetId')
  const query = budgets.useOne(id)
  const trail = [
    { label: 'Budgets', to: '/budgets' },
    { label: query.data?.name ?? 'Budget', to: budgetHref({ id }) },
  ]
  return (
    <Page title="Edit budget" docs="budgets" trail={trail}>
      <Loaded query={query} what="The budget could not be read">
        {(budget) => <EditForm key={budget.id} stored={budget} onReload={() => void query.refetch()} />}
      </Loaded>
    </Page>
  )
}

function EditForm({ stored, onReload }: { stored: Budget; onReload: () => void }) {
  const go = useGo()
  const toasts = useToasts()
  const change = budgets.useChange()
  const form = useForm({
    initial: formOf(stored),
    save: ({ value, changes, overwrite }) =>
      change.mutateAsync({
        id: stored.id,
        draft: changeOf(changes, value),
        version: overwrite ? undefined : stored.version,
      }),
  })
  function onSaved(): void {
    toasts.done(`Budget “${form.value.name}” changed`)
    go(budgetHref(stored))
  }
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,48rem)_24rem]">
      <Card>
        <Form form={form} onSaved={onSaved} onReload={onReload}>
          <BudgetFields form={form} isNew={false} />
        </Form>
      </Card>
      <div className="xl:sticky xl:top-17">
        <LimitTrialCard draft={{ budget: triedOf(form.value) }} whose="all requests" />
      </div>
    </div>
  )
}
