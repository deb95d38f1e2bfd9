import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Switch } from '../../components/switch.tsx'
import { TargetAccounts } from '../../components/target-accounts.tsx'
import { TargetHealth, TargetInput, TargetMark, TargetOptions } from '../../components/target.tsx'
import { percentText } from '../../format/count.ts'
import { type AliasFields, newTarget, sharesOf, type TargetFields } from './alias-draft.ts'

export interface TargetsEditorProps {
  readonly fields: AliasFields
  readonly onChange: (targets: TargetFields[]) => void
}

const TARGETS_MAX = 32

/** What an alias stands for, each with its share. */
export function TargetsEditor({ fields: { alias, targets, strategy }, onChange }: TargetsEditorProps) {
  const shares = sharesOf(targets)
  return (
    <TargetOptions except={alias}>
      {(list) => (
        <>
          <ol aria-label="Targets" className="grid gap-2.5">
            {targets.map((target, at) => (
              <li key={at} className="rounded-card border border-line p-3">
                <TargetRow
                  at={at}
                  target={target}
                  list={list}
                  share={strategy === 'weighted' && targets.length > 1 ? shares[at] : undefined}
                  isOnly={targets.length === 1}
                  onChange={(next) => onChange(targets.with(at, next))}
                  onRemove={() => onChange(targets.toSpliced(at, 1))}
                />
              </li>
            ))}
          </ol>
          <div>
            <Button
              icon={Plus}
              onClick={() => onChange([...targets, newTarget('')])}
              {...(targets.length >= TARGETS_MAX && { disabledBecause: `An alias has at most ${TARGETS_MAX} targets` })}
            >
              Add a target
            </Button>
          </div>
        </>
      )}
    </TargetOptions>
  )
}

interface TargetRowProps {
  readonly at: number
  readonly target: TargetFields
  readonly list: string
  /** Of the requests, 0 to 1; undefined where weights do not count. */
  readonly share: number | undefined
  readonly isOnly: boolean
  readonly onChange: (target: TargetFields) => void
  readonly onRemove: () => void
}

function TargetRow({ at, target, list, share, isOnly, onChange, onRemove }: TargetRowProps) {
  const set = (part: Partial<TargetFields>): void => onChange({ ...target, ...part })
  const path = `targets.${at}`
  return (
    <div className="grid gap-3">
      <div className="flex items-start gap-2 max-sm:flex-wrap">
        <span className="mt-6.5 max-sm:hidden">
          <TargetMark model={target.model} />
        </span>
        <div className="min-w-0 flex-1 max-sm:basis-full">
          <Field label={`Target ${at + 1}: model, alias or chain`} name={`${path}.model`}>
            <TargetInput value={target.model} list={list} onChange={(model) => set({ model, account_ids: null })} />
          </Field>
        </div>
        <div className="w-24">
          <Field
            label={`Weight ${at + 1}`}
            name={`${path}.weight`}
            hint={share === undefined ? undefined : percentText(share)}
          >
            <NumberInput value={target.weight} onChange={(weight) => set({ weight: weight ?? 0 })} />
          </Field>
        </div>
        <div className="w-24">
          <Field label={`Priority ${at + 1}`} name={`${path}.priority`}>
            <NumberInput value={target.priority} onChange={(priority) => set({ priority: priority ?? 0 })} />
          </Field>
        </div>
        <span className="mt-5.5">
          <IconButton icon={Trash2} label={`Remove target ${at + 1}`} disabled={isOnly} onClick={onRemove} />
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <Switch label={`Use target ${at + 1}`} checked={target.enabled} onChange={(enabled) => set({ enabled })} />
        <TargetHealth model={target.model} />
      </div>
      <TargetAccounts
        name={`${path}.account_ids`}
        model={target.model}
        value={target.account_ids}
        onChange={(account_ids) => set({ account_ids })}
      />
    </div>
  )
}
