import {
  ArrowDown,
  ArrowUp,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  GripVertical,
  Trash2,
  TriangleAlert,
} from 'lucide-react'
import type { ComponentProps } from 'react'
import { Badge } from '../../components/badge.tsx'
import { classNames } from '../../components/class-names.ts'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Money } from '../../components/money.tsx'
import { TargetHealth, TargetInput, TargetMark } from '../../components/target.tsx'
import type { ChainStepUsage } from '../../wire.ts'
import type { ChainFields, StepFields } from './chain-draft.ts'
import { ConditionBadge } from './condition-badge.tsx'
import { groupOf } from './condition-tree.ts'
import { StepDetails } from './step-details.tsx'
import { ShareBar } from './share-bar.tsx'
import { isAsked, type StepTrial, trialText } from './words.ts'

export interface StepCardProps {
  readonly at: number
  readonly step: StepFields
  /** Of all steps. */
  readonly count: number
  readonly strategy: ChainFields['strategy']
  /** The names that are offered for its model. */
  readonly list: string
  readonly usage: ChainStepUsage | undefined
  readonly trial: StepTrial | undefined
  /** Sentences. */
  readonly warnings: readonly string[]
  readonly handle: ComponentProps<'span'>
  readonly onChange: (step: StepFields) => void
  readonly onMove: (by: 1 | -1) => void
  readonly onRemove: () => void
}

export function StepCard(props: StepCardProps) {
  const { at, step, list, trial, handle, onChange } = props
  return (
    <div
      className={classNames(
        'rounded-card border bg-surface p-3',
        trial !== undefined && isAsked(trial) ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex items-start gap-2 max-sm:flex-wrap">
        <span
          {...handle}
          aria-hidden="true"
          title="Drag to another place"
          className="mt-6.5 grid h-7 w-5 shrink-0 cursor-grab place-items-center text-faint max-md:hidden"
        >
          <GripVertical size={16} strokeWidth={1.75} />
        </span>
        <span className="mt-6.5 max-sm:hidden">
          <TargetMark model={step.model} />
        </span>
        <div className="min-w-0 flex-1 max-sm:basis-full">
          <Field label={`Step ${at + 1}: model, alias or chain`} name={`steps.${at}.model`}>
            <TargetInput value={step.model} list={list} onChange={(model) => onChange(renamed(step, model))} />
          </Field>
        </div>
        <StepButtons {...props} />
      </div>
      <StepState {...props} />
      <StepDetails {...props} />
    </div>
  )
}

/** Accounts belong to a provider: another model has others. */
function renamed(step: StepFields, model: string): StepFields {
  const isSameProvider = step.model.split('/')[0] === model.split('/')[0]
  return { ...step, model, account_ids: isSameProvider ? step.account_ids : null }
}

function StepButtons({ at, count, onMove, onRemove }: StepCardProps) {
  return (
    <span className="mt-5 flex shrink-0 items-center max-sm:-mt-1 max-sm:ml-auto">
      <IconButton icon={ArrowUp} label={`Move step ${at + 1} up`} disabled={at === 0} onClick={() => onMove(-1)} />
      <IconButton
        icon={ArrowDown}
        label={`Move step ${at + 1} down`}
        disabled={at === count - 1}
        onClick={() => onMove(1)}
      />
      <IconButton icon={Trash2} label={`Remove step ${at + 1}`} disabled={count === 1} onClick={onRemove} />
    </span>
  )
}

/** What would become of it, what is special about it, and what it did lately. */
function StepState({ step, strategy, trial, usage, warnings }: StepCardProps) {
  const when = groupOf(step.when)
  return (
    <div className="mt-2 flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-dense md:pl-7">
      {trial && <Verdict trial={trial} />}
      {strategy === 'weighted' && <Badge>weight {step.weight}</Badge>}
      {!step.enabled && <Badge tone="caution">Switched off</Badge>}
      {when.parts.length > 0 && <ConditionBadge when={when} />}
      {warnings.length === 0 && <TargetHealth model={step.model} />}
      {usage && <ShareBar usage={usage} />}
      {warnings.map((warning) => (
        <span key={warning} className="flex basis-full items-start gap-1.5 text-caution">
          <TriangleAlert aria-hidden="true" size={16} strokeWidth={1.75} className="mt-px shrink-0" />
          {warning}
        </span>
      ))}
    </div>
  )
}

const TRIAL_ICONS = {
  first: CircleCheck,
  panel: CircleCheck,
  judge: CircleCheck,
  after_failure: CircleDashed,
  no: CircleSlash,
  unknown: CircleDashed,
} as const

function Verdict({ trial }: { trial: StepTrial }) {
  const { tried, estimated_cost_usd: usd } = trial
  const Icon = TRIAL_ICONS[tried]
  const asked = isAsked(trial)
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <Icon
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className={classNames('shrink-0', asked ? 'text-accent' : 'text-muted')}
      />
      <span className={asked ? 'font-medium text-accent' : 'text-muted'}>{trialText(trial)}</span>
      {usd !== null && (
        <span className="whitespace-nowrap text-muted">
          <Money usd={usd} source={usd === 0 ? 'free' : 'estimated'} />
        </span>
      )}
    </span>
  )
}
