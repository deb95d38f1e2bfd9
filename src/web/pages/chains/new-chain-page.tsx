import { useRef } from 'react'
import { useGo, useSearch } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Form } from '../../components/form.tsx'
import { useGatewayModels } from '../../gateway-models.ts'
import { Page } from '../../shell/page.tsx'
import { chains } from '../../target-names.ts'
import type { Chain } from '../../wire.ts'
import { NEW_CHAIN, newOf } from './chain-draft.ts'
import { ChainFieldset } from './chain-fieldset.tsx'
import { ChainLayout } from './chain-layout.tsx'
import { exampleOf } from './examples.ts'
import { useChainForm } from './use-chain-form.ts'

export default function NewChainPage() {
  const create = chains.useCreate()
  const toasts = useToasts()
  const go = useGo()
  const [search] = useSearch()
  const models = useGatewayModels()
  const created = useRef<Chain>(undefined)
  const { form, faults, trials, warnings, simulationProps } = useChainForm(undefined, {
    initial: exampleOf(search['example'], models) ?? NEW_CHAIN,
    save: async ({ value }) => {
      created.current = await create.mutateAsync(newOf(value))
    },
  })
  function onSaved(): void {
    if (created.current === undefined) return
    const { id, name } = created.current
    toasts.done(`Chain “${name}” added`)
    go(`/chains/${id}`)
  }
  return (
    <Page title="New chain" docs="chains" trail={[{ label: 'Chains', to: '/chains' }]}>
      <ChainLayout simulation={simulationProps}>
        {(status) => (
          <Form
            form={form}
            status={status}
            isNew
            saveLabel="Add chain"
            onCancel={() => go('/chains')}
            onSaved={onSaved}
          >
            <ChainFieldset form={form} isNew trials={trials} warnings={warnings} faults={faults} />
          </Form>
        )}
      </ChainLayout>
    </Page>
  )
}
