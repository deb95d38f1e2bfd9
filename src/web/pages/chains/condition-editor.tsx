import { FolderPlus, Plus, Trash2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'
import { useNames } from '../../names.tsx'
import {
  type Comparison,
  conditionOf,
  type Group,
  groupOf,
  isGroup,
  type Joint,
  type Part,
  partsPath,
  type WireCondition,
} from './condition-tree.ts'
import { DAYS, FACTS, freshComparison, opsOf, wordsOf } from './facts.ts'

export interface ConditionEditorProps {
  /** The API's path of the condition: `steps.0.when`. */
  readonly path: string
  readonly value: WireCondition | null
  readonly onChange: (when: WireCondition | null) => void
}

/** When a step may be used: comparisons that all hold, to begin with; any, none and groups for those who need them. */
export function ConditionEditor({ path, value, onChange }: ConditionEditorProps) {
  const group = groupOf(value)
  return (
    <Field
      label="Only when"
      name={path}
      group
      hint={group.parts.length === 0 ? 'No condition: it may be used for every request.' : undefined}
    >
      <GroupEditor path={path} group={group} depth={1} onChange={(next) => onChange(conditionOf(next))} />
    </Field>
  )
}

const JOINTS: readonly { readonly value: Joint; readonly label: string }[] = [
  { value: 'all', label: 'All of these hold' },
  { value: 'any', label: 'Any of these holds' },
  { value: 'none', label: 'None of these holds' },
]
/** Groups inside groups that are offered; the API takes few more. */
const DEPTH_MAX = 2

interface GroupEditorProps {
  readonly path: string
  readonly group: Group
  /** 1 for the outermost. */
  readonly depth: number
  readonly onChange: (group: Group) => void
}

function GroupEditor({ path, group, depth, onChange }: GroupEditorProps) {
  const { joint, parts } = group
  const setPart = (at: number, part: Part): void => onChange({ joint, parts: parts.with(at, part) })
  const remove = (at: number): void => onChange({ joint, parts: parts.toSpliced(at, 1) })
  const add = (part: Part): void => onChange({ joint, parts: [...parts, part] })
  return (
    <div className={depth === 1 ? 'grid gap-2' : 'grid gap-2 border-l-2 border-line pl-3'}>
      {(parts.length > 1 || depth > 1 || joint !== 'all') && (
        <div className="max-w-56">
          <Select
            id={undefined}
            aria-label={depth === 1 ? 'How the conditions are joined' : 'How this group is joined'}
            value={joint}
            options={JOINTS}
            onChange={(next) => onChange({ joint: next, parts })}
          />
        </div>
      )}
      {parts.map((part, at) => (
        <PartRow
          key={at}
          path={`${partsPath(path, joint)}.${at}`}
          label={depth === 1 ? `Condition ${at + 1}` : `Condition ${at + 1} of the group`}
          part={part}
          depth={depth}
          onChange={(next) => setPart(at, next)}
          onRemove={() => remove(at)}
        />
      ))}
      <div className="flex flex-wrap gap-1">
        <Button small tone="quiet" icon={Plus} onClick={() => add(freshComparison('input_tokens'))}>
          Add a condition
        </Button>
        {depth < DEPTH_MAX && parts.length > 0 && (
          <Button
            small
            tone="quiet"
            icon={FolderPlus}
            onClick={() => add({ joint: 'any', parts: [freshComparison('input_tokens')] })}
          >
            Add a group
          </Button>
        )}
      </div>
    </div>
  )
}

interface PartRowProps {
  readonly path: string
  readonly label: string
  readonly part: Part
  readonly depth: number
  readonly onChange: (part: Part) => void
  readonly onRemove: () => void
}

function PartRow({ path, label, part, depth, onChange, onRemove }: PartRowProps) {
  return (
    <div role="group" aria-label={label} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        {isGroup(part) ? (
          <GroupEditor path={path} group={part} depth={depth + 1} onChange={onChange} />
        ) : (
          <ComparisonEditor comparison={part} onChange={onChange} />
        )}
      </div>
      <IconButton icon={Trash2} label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />
    </div>
  )
}

interface ComparisonProps {
  readonly comparison: Comparison
  readonly onChange: (comparison: Comparison) => void
}

function ComparisonEditor({ comparison, onChange }: ComparisonProps) {
  const { fact, op } = comparison
  const { fact: kind, label } = wordsOf(fact)
  const known = FACTS.map((one) => ({ value: one.fact as string, label: one.label as string }))
  const isKnown = known.some(({ value }) => value === kind)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        id={undefined}
        aria-label="Fact"
        className="min-w-40 flex-1"
        value={kind}
        options={isKnown ? known : [...known, { value: kind, label }]}
        onChange={(next) => onChange(freshComparison(next))}
      />
      {kind.endsWith('.') && (
        <span className="min-w-28 flex-1">
          <Input
            mono
            id={undefined}
            aria-label={kind === 'tag.' ? 'Name of the tag' : 'Name of the header'}
            placeholder={kind === 'tag.' ? 'team' : 'anthropic-beta'}
            value={fact.slice(kind.length)}
            onChange={({ target }) => onChange({ ...comparison, fact: `${kind}${target.value.toLowerCase()}` })}
          />
        </span>
      )}
      <Select
        id={undefined}
        aria-label="Comparison"
        className="w-24"
        value={op}
        options={opsOf(fact)}
        onChange={(next) => onChange({ ...comparison, op: next })}
      />
      <span className="min-w-32 flex-1">
        <ValueInput comparison={comparison} onChange={onChange} />
      </span>
    </div>
  )
}

const YES_NO = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
] as const

function ValueInput({ comparison, onChange }: ComparisonProps) {
  const { kind, placeholder } = wordsOf(comparison.fact)
  const set = (value: Comparison['value']): void => onChange({ ...comparison, value })
  const text = String(comparison.value ?? '')
  const named = { id: undefined, 'aria-label': 'Value' }
  if (kind === 'flag')
    return (
      <Select
        {...named}
        value={text === 'true' ? 'true' : 'false'}
        options={YES_NO}
        onChange={(next) => set(next === 'true')}
      />
    )
  if (kind === 'weekday') {
    const days = DAYS.map((label, day) => ({ value: String(day), label: label as string }))
    return <Select {...named} value={text} options={days} onChange={(next) => set(Number(next))} />
  }
  if (kind === 'number') {
    const value = typeof comparison.value === 'number' ? comparison.value : null
    return <NumberInput {...named} value={value} placeholder={placeholder} onChange={set} />
  }
  if ((kind === 'key' || kind === 'plan') && comparison.op !== 'matches')
    return <NamedSelect what={kind} value={text} onChange={set} />
  return (
    <Input {...named} mono value={text} placeholder={placeholder} onChange={({ target }) => set(target.value.trim())} />
  )
}

interface NamedSelectProps {
  readonly what: 'key' | 'plan'
  /** An id. */
  readonly value: string
  readonly onChange: (id: string) => void
}

function NamedSelect({ what, value, onChange }: NamedSelectProps) {
  const named = useNames(`/v1/${what}s`).map(({ id, name }) => ({ value: id, label: name }))
  const isKnown = named.some((one) => one.value === value)
  const unknown = { value, label: value === '' ? `Choose a ${what}` : value }
  return (
    <Select
      id={undefined}
      aria-label="Value"
      value={value}
      options={isKnown ? named : [unknown, ...named]}
      onChange={onChange}
    />
  )
}
