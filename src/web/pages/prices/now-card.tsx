import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { rateText } from '../../format/money.ts'
import { SOURCES } from '../../price-words.ts'
import { type NamedRate, partsOf, useRateOf } from '../../prices.ts'
import type { OverrideForm } from './override-draft.ts'

/** What the model costs everybody now, and what the form would make of it. */
export function NowCard({ form }: { form: OverrideForm }) {
  const name = form.model.trim()
  const { data: now } = useRateOf(name)
  return (
    <Card title="Before and after" className="xl:sticky xl:top-17">
      <div className="text-dense">
        {now ? <Compared now={now} form={form} /> : <p className="text-muted">{reasonFor(name, now)}</p>}
      </div>
    </Card>
  )
}

function reasonFor(name: string, now: null | undefined): string {
  if (name.includes('*')) return 'A pattern counts for every model that it matches, now or later.'
  if (partsOf(name).model === '') return 'Name a model, and what it costs now is shown here.'
  return now === null ? 'No price of this model is known. Say at least what input and output cost.' : ''
}

function Compared({ now, form }: { now: NamedRate; form: OverrideForm }) {
  const after = (name: 'input' | 'output'): number =>
    form.mode === 'multiply' ? now[name] * (form.multiplier ?? 1) : (form[name] ?? now[name])
  return (
    <div className="grid gap-3">
      <Facts
        items={(['input', 'output'] as const).map((name) => [
          name === 'input' ? 'Input' : 'Output',
          <Change key={name} before={now[name]} after={after(name)} />,
        ])}
      />
      <p className="text-caption text-muted">
        Per million tokens. What counts for everybody now is {SOURCES[now.source]}
        {form.mode === 'multiply' && now.source === 'override' && '; the multiple is taken of it'}.
      </p>
    </div>
  )
}

function Change({ before, after }: { before: number; after: number }) {
  if (before === after) return <>{rateText(before)}</>
  return (
    <>
      <span className="text-muted">{rateText(before)} →</span> <strong>{rateText(after)}</strong>
    </>
  )
}
