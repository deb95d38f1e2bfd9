import { RotateCcw } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { useSearch } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { Form } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useForm } from '../../components/use-form.ts'
import { plural } from '../../format/count.ts'
import { Page } from '../../shell/page.tsx'
import type { Capabilities } from '../../wire.ts'
import { capabilities, useSay } from './data.ts'
import { FactRow } from './fact-row.tsx'
import { draftOf, type FactValues, GROUPS, valuesOf } from './fields.ts'
import { PriceCard } from './price-card.tsx'
import { ModelUsageFigures } from './usage-figures.tsx'
import { UsersCard } from './users-card.tsx'

const TRAIL = [{ label: 'Models', to: '/models' }] as const

export default function ModelPage() {
  const [{ id = '' }] = useSearch()
  const query = capabilities.useOne(id)
  if (query.data !== undefined) {
    return <Shown key={id} model={query.data} onReload={() => void query.refetch()} />
  }
  return (
    <Page title={id} trail={TRAIL}>
      <Card>
        <Loaded query={query} what="This model could not be read">
          {() => null}
        </Loaded>
      </Card>
    </Page>
  )
}

function Shown({ model, onReload }: { model: Capabilities; onReload: () => void }) {
  const form = useFacts(model)
  const reset = useRef<HTMLDialogElement>(null)
  const count = Object.values(model.source_per_field).filter((source) => source === 'override').length
  return (
    <Page
      title={model.id}
      trail={TRAIL}
      lead={<span className="text-caption text-muted">{leadOf(count)}</span>}
      actions={
        model.override !== null && (
          <Button icon={RotateCcw} onClick={() => reset.current?.showModal()}>
            Reset
          </Button>
        )
      }
    >
      <div className="mb-6 grid gap-4">
        <ModelUsageFigures name={model.id} />
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <PriceCard name={model.id} />
          <UsersCard name={model.id} />
        </div>
      </div>
      <h2 className="mb-3 text-section font-semibold">What it can do</h2>
      <Form form={form} className="max-w-420" onReload={onReload}>
        <div className="grid items-start gap-5 xl:grid-cols-2 min-[112.5rem]:grid-cols-3">
          {GROUPS.map(({ title, fields }) => (
            <Card key={title} title={title}>
              <div className="grid items-start gap-4 sm:grid-cols-2">
                {fields.map((field) => (
                  <FactRow
                    key={field.path}
                    field={field}
                    model={model}
                    value={form.value[field.path] ?? ''}
                    onChange={(value) => form.set(field.path, value)}
                  />
                ))}
              </div>
            </Card>
          ))}
        </div>
      </Form>
      <Reset dialog={reset} model={model} count={count} />
    </Page>
  )
}

function leadOf(count: number): string {
  return count === 0 ? 'as the catalogue knows it' : `${plural(count, 'fact')} changed here`
}

/** Saves over what it was begun from: what somebody else said meanwhile is not replaced unseen. */
function useFacts(model: Capabilities) {
  const say = useSay()
  const toasts = useToasts()
  const begun = useRef(model.version)
  const form = useForm<Record<string, FactValues[string]>>({
    initial: valuesOf(model.override),
    save: async ({ value, overwrite }) => {
      const version = overwrite ? undefined : begun.current
      await say.mutateAsync({ id: model.id, draft: draftOf(value), version })
      toasts.done('Saved. It counts from the next request.')
    },
  })
  useEffect(() => {
    if (!form.isDirty) begun.current = model.version
  }, [form.isDirty, model.version])
  return form
}

interface ResetProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly model: Capabilities
  readonly count: number
}

function Reset({ dialog, model, count }: ResetProps) {
  const say = useSay()
  const toasts = useToasts()
  const onConfirm = async () => {
    await say.mutateAsync({ id: model.id, draft: {}, version: undefined })
    toasts.done('Reset. The catalogue counts from the next request.')
  }
  const text = `${plural(count, 'fact')} of ${model.id} will be the catalogue’s again.`
  return (
    <ConfirmDestructive
      dialog={dialog}
      title="Reset this model?"
      act="Reset"
      consequences={[{ icon: RotateCcw, tone: 'plain', text }]}
      onConfirm={onConfirm}
    />
  )
}
