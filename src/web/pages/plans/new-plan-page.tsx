import { useRef } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { LimitTrialCard } from '../../components/limit-trial-card.tsx'
import { ownTimeZone } from '../../components/time-zone-input.tsx'
import { useForm } from '../../components/use-form.ts'
import { triedOf } from '../../limit-trial.ts'
import { planHref, plans } from '../../plans.ts'
import { Page } from '../../shell/page.tsx'
import type { Plan } from '../../wire.ts'
import { draftOf, EMPTY_PLAN } from './plan-draft.ts'
import { PlanFields } from './plan-fields.tsx'

/** A new plan: a name is enough. Its days begin where the one who makes it is. */
export default function NewPlanPage() {
  const go = useGo()
  const toasts = useToasts()
  const create = plans.useCreate()
  const created = useRef<Plan>(undefined)
  const form = useForm({
    initial: { ...EMPTY_PLAN, budget_timezone: ownTimeZone() },
    save: async ({ value }) => {
      created.current = await create.mutateAsync({ ...draftOf(value), name: value.name })
    },
  })
  function onSaved(): void {
    if (created.current === undefined) return
    toasts.done(`Plan “${created.current.name}” added`)
    go(planHref(created.current))
  }
  return (
    <Page title="New plan" docs="plans" trail={[{ label: 'Plans', to: '/plans' }]}>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,48rem)_24rem]">
        <Card>
          <Form form={form} isNew saveLabel="Add plan" onCancel={() => go('/plans')} onSaved={onSaved}>
            <PlanFields form={form} folded />
          </Form>
        </Card>
        <div className="xl:sticky xl:top-17">
          <LimitTrialCard draft={{ plan: triedOf(draftOf(form.value)) }} whose="the requests of all keys" />
        </div>
      </div>
    </Page>
  )
}
