import { useGo, useSearch } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { useForm } from '../../components/use-form.ts'
import { DEMO_MODEL, type GatewayModels, useGatewayModels } from '../../gateway-models.ts'
import { Page } from '../../shell/page.tsx'
import { type AliasFields, draftOf, NEW_ALIAS, newTarget } from './alias-draft.ts'
import { AliasFieldset } from './alias-fieldset.tsx'
import { hrefOf, usePutAlias } from './data.ts'

export default function NewAliasPage() {
  const put = usePutAlias()
  const toasts = useToasts()
  const go = useGo()
  const [search] = useSearch()
  const models = useGatewayModels()
  const form = useForm<AliasFields>({
    initial: search['example'] === undefined ? NEW_ALIAS : exampleOf(models),
    save: ({ value }) => put.mutateAsync({ draft: draftOf(value), version: 0 }),
  })
  function onSaved(): void {
    const { alias } = form.value
    toasts.done(`Alias “${alias}” added`)
    go(hrefOf({ alias }))
  }
  return (
    <Page title="New alias" docs="chains" trail={[{ label: 'Aliases', to: '/aliases' }]} width="form">
      <Card>
        <Form form={form} isNew saveLabel="Add alias" onCancel={() => go('/aliases')} onSaved={onSaved}>
          <AliasFieldset form={form} isNew />
        </Form>
      </Card>
    </Page>
  )
}

/** A name of one's own in front of the model that is wanted most, and a second that gets a quarter. */
function exampleOf({ preferred, names }: GatewayModels): AliasFields {
  const other = names.find((name) => name !== preferred) ?? DEMO_MODEL
  const first = { ...newTarget(preferred), weight: 3 }
  return { ...NEW_ALIAS, alias: 'default', targets: other === preferred ? [first] : [first, newTarget(other)] }
}
