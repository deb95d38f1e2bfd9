import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { SCOPES } from '../../budget-words.ts'
import { Field } from '../../components/field.tsx'
import { Input } from '../../components/input.tsx'
import { Select } from '../../components/select.tsx'
import { Switch } from '../../components/switch.tsx'
import type { FormState } from '../../components/use-form.ts'
import { useGatewayModels } from '../../gateway-models.ts'
import { LISTED, useNames } from '../../names.tsx'
import { useProvidersById } from '../../target-names.ts'
import { type BudgetForm, countsEach } from './budget-draft.ts'

interface PartProps {
  readonly form: FormState<BudgetForm>
}

/** What a budget is about: everything, or one thing that is chosen by its kind. */
export function ScopeFields({ form }: PartProps) {
  const { scope, each } = form.value
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="What it limits" name="scope">
          <Select
            value={scope}
            options={SCOPES}
            onChange={(next) => {
              form.set('scope', next)
              form.set('scope_id', '')
              form.set('each', false)
            }}
          />
        </Field>
        {scope !== 'global' && <TargetField form={form} />}
      </div>
      {countsEach(scope) && (
        <Field label="Whose" name="each" hint="Otherwise all of them spend from the same amount.">
          <Switch label="Each key has this much for itself" checked={each} onChange={(on) => form.set('each', on)} />
        </Field>
      )}
    </>
  )
}

const LABELS = {
  plan: 'Plan',
  key: 'Key',
  account: 'Account',
  chain: 'Chain',
  provider: 'Provider',
  model: 'Models',
  tag: 'Tag',
} as const
const NAMED = { plan: '/v1/plans', key: '/v1/keys', account: '/v1/accounts', chain: '/v1/chains' } as const

function TargetField({ form }: PartProps) {
  const { scope, scope_id: value } = form.value
  const onChange = (id: string): void => form.set('scope_id', id)
  if (scope === 'global') return null
  return (
    <Field label={LABELS[scope]} name="scope_id" hint={HINTS[scope]}>
      {scope === 'provider' ? (
        <ProviderSelect value={value} onChange={onChange} />
      ) : scope === 'model' ? (
        <ModelInput value={value} onChange={onChange} />
      ) : scope === 'tag' ? (
        <Input mono placeholder="team=platform" value={value} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <NamedSelect key={scope} path={NAMED[scope]} value={value} onChange={onChange} />
      )}
    </Field>
  )
}

const HINTS: Partial<Readonly<Record<BudgetForm['scope'], string>>> = {
  model: 'A name or a pattern, in which * stands for any text.',
  tag: 'As keys have it: name=value.',
}

interface ChoiceProps {
  readonly value: string
  readonly onChange: (id: string) => void
}

const CHOOSE = { value: '', label: 'Choose one' } as const

/** What is not offered, since it is gone or one of very many, stays chosen under its id. Very many are searched. */
function NamedSelect({ path, value, onChange }: ChoiceProps & { path: (typeof NAMED)[keyof typeof NAMED] }) {
  const [q, setQ] = useState('')
  const isMany = useNames(path).length >= LISTED
  const names = useNames(path, q.trim()).map(({ id, name }) => ({ value: id, label: name }))
  const isOffered = value === '' || names.some((option) => option.value === value)
  const options = [CHOOSE, ...names, ...(isOffered ? [] : [{ value, label: value }])]
  return (
    <span className="grid gap-2">
      {isMany && (
        <Input
          id={undefined}
          name={undefined}
          icon={Search}
          aria-label="Search by name"
          placeholder="Search by name"
          value={q}
          onChange={({ target }) => setQ(target.value)}
        />
      )}
      <Select value={value} options={options} onChange={onChange} />
    </span>
  )
}

function ProviderSelect({ value, onChange }: ChoiceProps) {
  const known = [...useProvidersById().values()].map(({ id, name }) => ({ value: id, label: name }))
  const isOffered = value === '' || known.some((option) => option.value === value)
  const options = [CHOOSE, ...known, ...(isOffered ? [] : [{ value, label: value }])]
  return <Select value={value} options={options} onChange={onChange} />
}

function ModelInput({ value, onChange }: ChoiceProps) {
  const list = useId()
  const { names } = useGatewayModels()
  const providers = [...new Set(names.map((name) => `${name.slice(0, name.indexOf('/'))}/*`))]
  return (
    <>
      <Input
        mono
        list={list}
        placeholder="*/claude-opus-*"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={list}>
        {[...providers, ...names].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
