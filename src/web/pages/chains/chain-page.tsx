import { Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Badge } from '../../components/badge.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { Page } from '../../shell/page.tsx'
import { chains } from '../../target-names.ts'
import type { Chain } from '../../wire.ts'
import { changeOf, fieldsOf } from './chain-draft.ts'
import { ChainFieldset } from './chain-fieldset.tsx'
import { ChainLayout } from './chain-layout.tsx'
import { ChainSlug } from './chain-slug.tsx'
import { useStepUsage } from './data.ts'
import { DeleteChain } from './delete-chain.tsx'
import { TracksCard } from './tracks-card.tsx'
import { useChainForm } from './use-chain-form.ts'

const TRAIL = [{ label: 'Chains', to: '/chains' }]

export default function ChainPage() {
  const id = usePathParam('chainId')
  const query = chains.useOne(id)
  if (query.data === undefined) {
    return (
      <Page title="Chain" trail={TRAIL}>
        <Card>
          <Loaded query={query} what="This chain could not be read">
            {() => null}
          </Loaded>
        </Card>
      </Page>
    )
  }
  return <Shown key={id} chain={query.data} onReload={() => void query.refetch()} />
}

function Shown({ chain, onReload }: { chain: Chain; onReload: () => void }) {
  const { id, name, slug, version, enabled } = chain
  const change = chains.useChange()
  const toasts = useToasts()
  const usage = useStepUsage(id)
  const deletion = useRef<HTMLDialogElement>(null)
  const { form, faults, trials, warnings, simulationProps } = useChainForm(id, {
    initial: fieldsOf(chain),
    save: ({ changes, overwrite }) =>
      change.mutateAsync({ id, draft: changeOf(changes), version: overwrite ? undefined : version }),
  })
  return (
    <Page
      title={name}
      docs="chains"
      trail={TRAIL}
      lead={
        <>
          <ChainSlug slug={slug} />
          {!enabled && <Badge tone="caution">Switched off</Badge>}
        </>
      }
      actions={
        <>
          <ButtonLink to={`/requests?chain_id=${id}`}>Its requests</ButtonLink>
          <Menu label="More about this chain">
            <MenuItem icon={Trash2} danger onSelect={() => deletion.current?.showModal()}>
              Delete…
            </MenuItem>
          </Menu>
        </>
      }
    >
      <ChainLayout simulation={simulationProps} below={<TracksCard chain={chain} usage={usage} trials={trials} />}>
        {(status) => (
          <Form
            form={form}
            status={status}
            onReload={onReload}
            onSaved={() => toasts.done(`Chain “${form.value.name}” changed`)}
          >
            <ChainFieldset form={form} usage={usage} trials={trials} warnings={warnings} faults={faults} />
          </Form>
        )}
      </ChainLayout>
      <DeleteChain dialog={deletion} chain={chain} usage={usage} />
    </Page>
  )
}
