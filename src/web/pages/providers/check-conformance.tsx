import { type RefObject, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Facts } from '../../components/facts.tsx'
import { Field } from '../../components/field.tsx'
import { Input } from '../../components/input.tsx'
import { Money } from '../../components/money.tsx'
import { Tokens } from '../../components/quantity.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import type { Account, ConformanceQuote, Provider } from '../../wire.ts'
import { useQuote } from './conformance-data.ts'

export interface CheckConformanceProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly provider: Provider
  readonly accounts: readonly Account[]
  /** Whose credentials are used. */
  readonly accountId: string
  readonly onAccount: (accountId: string) => void
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCheck: (accountId: string, model: string) => void
}

/** Says what a check will cost before it begins. */
export function CheckConformance(props: CheckConformanceProps) {
  const { dialog, provider, accounts, accountId, onAccount, isOpen, onClose, onCheck } = props
  const [draft, setDraft] = useState('')
  const [model, setModel] = useState('')
  const quote = useQuote(accountId, model, isOpen)
  const { data, error } = quote
  return (
    <Dialog
      ref={dialog}
      title="Check conformance"
      sheet
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <Button
            tone="primary"
            {...(error !== null && { disabledBecause: 'Choose another model', hideReason: true })}
            onClick={() => {
              onCheck(accountId, model)
              dialog.current?.close()
            }}
          >
            Check now
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-dense text-muted">
          Asks {provider.name} a few harmless questions, one after another, and looks at how the answers come: text,
          streams, tools, structured output, an image. Nothing of yours is sent.
        </p>
        {accounts.length > 1 && (
          <Field label="Account">
            <Select
              value={accountId}
              options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={onAccount}
            />
          </Field>
        )}
        <Field
          label="Model"
          aside="optional"
          hint="Left empty, a cheap one is asked that can do most."
          error={error === null ? undefined : reasonOf(error)}
        >
          <Input
            mono
            value={draft}
            placeholder={data?.models[0] ?? ''}
            onChange={(event) => setDraft(event.target.value)}
            onBlur={() => setModel(draft.trim())}
          />
        </Field>
        {data === undefined ? error === null && <Skeleton rows={4} /> : <Cost quote={data} />}
      </div>
    </Dialog>
  )
}

function Cost({ quote }: { quote: ConformanceQuote }) {
  const { calls, tokens, tokens_max, cost_usd, cost_max_usd, models } = quote
  return (
    <Facts
      items={[
        ['Calls', calls],
        [
          'Tokens',
          <>
            about <Tokens count={tokens} />, at most <Tokens count={tokens_max} />
          </>,
        ],
        [
          'Cost',
          cost_usd === null ? (
            <Money usd={null} source="unknown" />
          ) : (
            <>
              about <Money usd={cost_usd} />, at most <Money usd={cost_max_usd} />
            </>
          ),
        ],
        [
          'Asked',
          models.length === 0 ? 'the provider’s own list first' : <code>{[...new Set(models)].join(', ')}</code>,
        ],
      ]}
    />
  )
}
