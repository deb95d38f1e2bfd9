import { Callout } from '../../components/callout.tsx'
import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { Select } from '../../components/select.tsx'
import { Switch } from '../../components/switch.tsx'
import { TargetInput, TargetOptions } from '../../components/target.tsx'
import { useEver } from '../../components/use-ever.ts'
import type { FormState } from '../../components/use-form.ts'
import { STRATEGY_OPTIONS, STRATEGY_WORDS } from '../../strategies.ts'
import type { AliasFields } from './alias-draft.ts'
import { TargetsEditor } from './targets-editor.tsx'

export interface AliasFieldsetProps {
  readonly form: FormState<AliasFields>
  /** Its name can still be chosen. */
  readonly isNew?: boolean
}

export function AliasFieldset({ form, isNew = false }: AliasFieldsetProps) {
  const { strategy, expires_at, replaced_by } = form.value
  const wrong = Object.keys(form.error?.errors ?? {})
  const isRetiring = useEver(expires_at !== '' || replaced_by !== '' || wrong.some((path) => RETIREMENT.includes(path)))
  const isSpecial = useEver(form.value.shadow || wrong.includes('alias'))
  return (
    <>
      {isNew && <NameField form={form} />}
      <TargetsEditor fields={form.value} onChange={(targets) => form.set('targets', targets)} />
      <div className="max-w-80">
        <Field label="Choose a target" name="strategy" hint={STRATEGY_WORDS[strategy].meaning}>
          <Select value={strategy} options={STRATEGY_OPTIONS} onChange={(next) => form.set('strategy', next)} />
        </Field>
      </div>
      <FormGroup title="Retirement" folded={!isRetiring}>
        <Retirement form={form} />
      </FormGroup>
      <FormGroup title="How it is seen" folded={!isSpecial}>
        <Sight form={form} />
      </FormGroup>
    </>
  )
}

const RETIREMENT: readonly string[] = ['expires_at', 'replaced_by']

function NameField({ form }: AliasFieldsetProps) {
  const { alias } = form.value
  return (
    <>
      <Field
        label="Alias"
        name="alias"
        hint={
          <>
            What clients write as their model. It cannot be changed later. With <code>*</code> at its end it stands for
            every name that begins so.
          </>
        }
      >
        <Input mono placeholder="fast" autoCapitalize="none" spellCheck={false} {...form.text('alias')} />
      </Field>
      <Wildcard alias={alias} />
    </>
  )
}

/** What a name with a star takes, and what goes before it. */
export function Wildcard({ alias }: { alias: string }) {
  if (!alias.endsWith('*')) return null
  const stem = alias.slice(0, -1)
  return (
    <Callout tone="info">
      {stem === '' ? 'Every name leads here.' : <StemMeaning stem={stem} />} First come aliases of exactly the name
      asked for, chains, and names that begin with a provider; then the longest beginning.
    </Callout>
  )
}

function StemMeaning({ stem }: { stem: string }) {
  return (
    <>
      <code>{stem}</code>, <code>{stem}-mini</code> and every other name that begins with <code>{stem}</code> lead here.
    </>
  )
}

function Retirement({ form }: AliasFieldsetProps) {
  const { alias, replaced_by } = form.value
  return (
    <>
      <p className="text-caption text-muted">
        Thirty days before the end, answers begin to tell their callers. From then on the name means nothing, and what
        is refused names the replacement.
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Retires" name="expires_at" hint="In your time zone. Empty: never.">
          <Input type="datetime-local" {...form.text('expires_at')} />
        </Field>
        <TargetOptions except={alias}>
          {(list) => (
            <Field
              label="Replaced by"
              name="replaced_by"
              aside="optional"
              hint="What its callers should ask for instead."
            >
              <TargetInput value={replaced_by} list={list} onChange={(next) => form.set('replaced_by', next)} />
            </Field>
          )}
        </TargetOptions>
      </div>
    </>
  )
}

const SIGHTS = [
  {
    name: 'shadow',
    label: 'It may hide a real model',
    hint: 'Off, a name that a connected provider already has is refused, so that nobody hides a model by mistake.',
  },
  { name: 'listed', label: 'Lists of models have it', hint: 'Off, it can still be asked for by whoever knows it.' },
  {
    name: 'rewrite_model',
    label: 'Answers name the alias instead of the real model',
    hint: 'Off, clients see which model answered.',
  },
] as const

function Sight({ form }: AliasFieldsetProps) {
  return SIGHTS.map(({ name, label, hint }) => (
    <div key={name} className="grid gap-1.5">
      <Switch label={label} checked={form.value[name]} onChange={(on) => form.set(name, on)} />
      <p className="text-caption text-faint">{hint}</p>
    </div>
  ))
}
