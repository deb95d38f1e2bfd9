import { CalendarClock, ReceiptText, Wallet } from 'lucide-react'
import { useRef, useState } from 'react'
import { useToasts } from '../../app-context.ts'
import { ApiError } from '../../api-error.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { Field } from '../../components/field.tsx'
import { Figure, FigureRow } from '../../components/figure.tsx'
import { Form } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { Money } from '../../components/money.tsx'
import { useForm } from '../../components/use-form.ts'
import { countText, plural } from '../../format/count.ts'
import { exactMoney, nanoFromUsd } from '../../format/money.ts'
import { useReprice } from '../../prices.ts'
import { Page } from '../../shell/page.tsx'
import type { Repriced, Repricing } from '../../wire.ts'
import { instantOf, localOf } from './override-draft.ts'

const TRAIL = [
  { label: 'Models', to: '/models' },
  { label: 'Prices', to: '/models/prices' },
] as const

interface RepriceForm {
  readonly from: string
  readonly to: string
  readonly provider: string
  readonly model: string
}

/** What was asked, and what it would come to. */
interface Looked {
  readonly asked: Omit<Repricing, 'dry_run'>
  readonly found: Repriced
}

/** Past requests at the prices that counted at their moment, as they are known now: looked at first, then done. */
export default function RepricePage() {
  const reprice = useReprice()
  const [looked, setLooked] = useState<Looked>()
  const [initial, setInitial] = useState(thisMonth)
  const form = useForm<RepriceForm>({
    initial,
    save: async ({ value }) => {
      setLooked(undefined)
      const asked = askedOf(value)
      setLooked({ asked, found: await reprice.mutateAsync({ ...asked, dry_run: true }) })
      setInitial(value)
    },
  })
  return (
    <Page title="Price the past anew" docs="prices" trail={TRAIL} width="form">
      <div className="grid gap-4">
        <p className="text-dense text-muted">
          What is written down stays as it was priced, until somebody prices it anew: at the prices that counted at the
          moment of each request, as they are known now. A price that is set reaches back only if it counts from then
          on.
        </p>
        <Card>
          <Form form={form} isNew saveLabel="See what it comes to" unguarded>
            <div className="grid items-start gap-4 sm:grid-cols-2">
              <Field label="From" name="from">
                <Input type="datetime-local" {...form.text('from')} />
              </Field>
              <Field label="Until" name="to">
                <Input type="datetime-local" {...form.text('to')} />
              </Field>
              <Field label="Provider" name="provider" aside="all, if empty">
                <Input mono autoCapitalize="none" placeholder="anthropic" {...form.text('provider')} />
              </Field>
              <Field
                label="Model"
                name="model"
                aside="all, if empty"
                hint="As its provider names it, without the provider."
              >
                <Input mono autoCapitalize="none" placeholder="claude-sonnet-4-6" {...form.text('model')} />
              </Field>
            </div>
          </Form>
        </Card>
        {looked && !form.isDirty && <Found looked={looked} onDone={() => setLooked(undefined)} />}
      </div>
    </Page>
  )
}

function thisMonth(): RepriceForm {
  const now = new Date()
  return {
    from: localOf(new Date(now.getFullYear(), now.getMonth(), 1)),
    to: localOf(new Date(now.getTime() + 60_000)),
    provider: '',
    model: '',
  }
}

/** Throws what the server would say of a moment that is none, since none can be sent. */
function askedOf({ from, to, provider, model }: RepriceForm): Looked['asked'] {
  const missing = Object.entries({ from, to }).filter(([, moment]) => moment === '')
  if (missing.length > 0) {
    const errors = Object.fromEntries(missing.map(([name]) => [name, ['must be a moment']]))
    throw new ApiError(422, 'A moment is missing.', { errors })
  }
  return {
    from: instantOf(from),
    to: instantOf(to),
    ...(provider.trim() !== '' && { provider: provider.trim() }),
    ...(model.trim() !== '' && { model: model.trim() }),
  }
}

function Found({ looked: { asked, found }, onDone }: { looked: Looked; onDone: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const reprice = useReprice()
  const toasts = useToasts()
  const { rows, changed, before_usd: before, after_usd: after } = found
  const onConfirm = async () => {
    const done = await reprice.mutateAsync({ ...asked, dry_run: false })
    toasts.done(`${plural(done.changed, 'cost')} changed, from ${exact(done.before_usd)} to ${exact(done.after_usd)}`)
    onDone()
  }
  return (
    <div role="status" className="grid gap-4">
      <FigureRow>
        <Figure label="Tries looked at" value={countText(rows)} />
        <Figure label="Would change" value={countText(changed)} />
        <Figure label="Cost before" value={<Money usd={before} />} below={exact(before)} />
        <Figure label="Cost after" value={<Money usd={after} />} below={exact(after)} />
      </FigureRow>
      {changed === 0 ? (
        <Callout tone="clear">Every cost is what it would be now. There is nothing to do.</Callout>
      ) : (
        <Callout tone="caution" action={<Button onClick={() => dialog.current?.showModal()}>Price them anew</Button>}>
          Nothing has been changed yet.
        </Callout>
      )}
      <ConfirmDestructive
        dialog={dialog}
        title="Price the past anew?"
        act="Price anew"
        consequences={[
          {
            icon: CalendarClock,
            tone: 'caution',
            text: `Another cost for ${plural(changed, 'try', 'tries')}: together ${exact(after)} instead of ${exact(before)}.`,
          },
          { icon: ReceiptText, tone: 'plain', text: 'The request log, all sums and what keys have used follow.' },
          { icon: Wallet, tone: 'plain', text: 'Budgets keep what they have counted.' },
        ]}
        onConfirm={onConfirm}
      />
    </div>
  )
}

function exact(usd: number): string {
  return exactMoney(nanoFromUsd(usd))
}
