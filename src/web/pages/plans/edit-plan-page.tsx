import { useGo, usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { LimitTrialCard } from '../../components/limit-trial-card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useForm } from '../../components/use-form.ts'
import { triedOf } from '../../limit-trial.ts'
import { planHref, plans } from '../../plans.ts'
import { Page } from '../../shell/page.tsx'
import type { Plan } from '../../wire.ts'
import { draftOf, formOf } from './plan-draft.ts'
import { PlanFields } from './plan-fields.tsx'

/** The rules of a plan that exists. Only what was changed is sent, with the version that it was changed from. */
export default function EditPlanPage() {
  const id = usePathParam('planId')
  const query = plans.useOne(id)
  const trail = [
    { label: 'Plans', to: '/plans' },
    { label: query.data?.name ?? 'Plan', to: planHref({ id }) },
  ]
  return (
    <Page title="Edit plan" docs="plans" trail={trail}>
      <Loaded query={query} what="The plan could not be read">
        {(plan) => <EditForm key={plan.id} stored={plan} onReload={() => void query.refetch()} />}
      </Loaded>
    </Page>
  )
}

function EditForm({ stored, onReload }: { stored: Plan; onReload: () => void }) {
  const go = useGo()
  const toasts = useToasts()
  const change = plans.useChange()
  const form = useForm({
    initial: formOf(stored),
    save: ({ changes, overwrite }) =>
      change.mutateAsync({
        id: stored.id,
        draft: draftOf(changes),
        version: overwrite ? undefined : stored.version,
      }),
  })
  function onSaved(): void {
    toasts.done(`Plan “${form.value.name}” changed`)
    go(planHref(stored))
  }
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,48rem)_24rem]">
      <Card>
        <Form form={form} onSaved={onSaved} onReload={onReload}>
          <PlanFields form={form} folded={false} />
        </Form>
      </Card>
      <div className="xl:sticky xl:top-17">
        <LimitTrialCard
          draft={{ plan: triedOf(draftOf(form.value)), plan_id: stored.id }}
          whose="the requests of the keys that are on it"
        />
      </div>
    </div>
  )
}
