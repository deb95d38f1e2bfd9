import { useRef } from 'react'
import { useGo, useSearch } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { useForm } from '../../components/use-form.ts'
import { pricingOverrides, useRenewPrices } from '../../prices.ts'
import { Page } from '../../shell/page.tsx'
import type { PricingOverride } from '../../wire.ts'
import { NowCard } from './now-card.tsx'
import { draftOf, emptyForm, type OverrideForm } from './override-draft.ts'
import { OverrideFields } from './override-fields.tsx'

const TRAIL = [
  { label: 'Models', to: '/models' },
  { label: 'Prices', to: '/models/prices' },
] as const

/** A price in place of the catalogue's, or a multiple of it. `?model=` is where it begins. */
export default function NewOverridePage() {
  const [{ model = '' }] = useSearch()
  const create = pricingOverrides.useCreate()
  const renew = useRenewPrices()
  const toasts = useToasts()
  const go = useGo()
  const created = useRef<PricingOverride>(undefined)
  const form = useForm<OverrideForm>({
    initial: emptyForm(model),
    save: async ({ value }) => {
      created.current = await create.mutateAsync(draftOf(value))
    },
  })
  const onSaved = (): void => {
    void renew()
    toasts.done(`Price of ${created.current?.model ?? 'the model'} set`)
    go('/models/prices/set')
  }
  return (
    <Page title="Set a price" docs="prices" trail={TRAIL}>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,48rem)_22rem]">
        <Card>
          <Form form={form} isNew saveLabel="Set the price" onCancel={() => go('/models/prices')} onSaved={onSaved}>
            <OverrideFields form={form} />
          </Form>
        </Card>
        <NowCard form={form.value} />
      </div>
    </Page>
  )
}
