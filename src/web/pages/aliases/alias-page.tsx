import { Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { useSearch } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Form } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import { aliases } from '../../target-names.ts'
import type { Alias } from '../../wire.ts'
import { type AliasFields, draftOf, fieldsOf } from './alias-draft.ts'
import { AliasFieldset, Wildcard } from './alias-fieldset.tsx'
import { CapabilitiesCard } from './capabilities-card.tsx'
import { usePutAlias } from './data.ts'
import { DeleteAlias } from './delete-alias.tsx'
import { RetirementBadge } from './retirement-badge.tsx'

const TRAIL = [{ label: 'Aliases', to: '/aliases' }]

/** Names may hold slashes, so that the alias stands in the query string. */
export default function AliasPage() {
  const [search] = useSearch()
  const name = search['alias'] ?? ''
  const query = aliases.useList({ alias: name })
  const alias = query.data?.data.find((one) => one.alias === name)
  if (alias !== undefined) return <Shown key={name} alias={alias} onReload={() => void query.refetch()} />
  return (
    <Page title="Alias" trail={TRAIL}>
      <Card>
        <Loaded query={query} what="This alias could not be read">
          {() => <EmptyState title="No such alias">It may have been deleted.</EmptyState>}
        </Loaded>
      </Card>
    </Page>
  )
}

function Shown({ alias, onReload }: { alias: Alias; onReload: () => void }) {
  const put = usePutAlias()
  const toasts = useToasts()
  const deletion = useRef<HTMLDialogElement>(null)
  const form = useForm<AliasFields>({
    initial: fieldsOf(alias),
    save: ({ value, overwrite }) =>
      put.mutateAsync({ draft: draftOf(value, alias), version: overwrite ? undefined : alias.version }),
  })
  return (
    <Page
      title={alias.alias}
      docs="chains"
      trail={TRAIL}
      lead={
        <>
          <CopyButton text={alias.alias} label={`Copy ${alias.alias}`} />
          <RetirementBadge alias={alias} />
        </>
      }
      actions={
        <Menu label="More about this alias">
          <MenuItem icon={Trash2} danger onSelect={() => deletion.current?.showModal()}>
            Delete…
          </MenuItem>
        </Menu>
      }
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,48rem)_22rem]">
        <Card>
          <Form form={form} onReload={onReload} onSaved={() => toasts.done(`Alias “${alias.alias}” changed`)}>
            <Wildcard alias={alias.alias} />
            <AliasFieldset form={form} />
          </Form>
        </Card>
        <CapabilitiesCard alias={alias} />
      </div>
      <DeleteAlias dialog={deletion} alias={alias} />
    </Page>
  )
}
