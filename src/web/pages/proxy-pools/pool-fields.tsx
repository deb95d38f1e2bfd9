import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Select } from '../../components/select.tsx'
import { Switch } from '../../components/switch.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import type { FormState } from '../../components/use-form.ts'
import { useApiQuery } from '../../resource.ts'
import { EndpointsEditor } from './endpoints-editor.tsx'
import { type CheckFields, NEW_FIELDS, type PoolFields } from './pool-draft.ts'
import { providerOf, scopeOfProvider, STRATEGIES, STRATEGY_HINTS } from './words.ts'

interface PoolFieldsetProps {
  readonly form: FormState<PoolFields>
}

/** Everything that an operator sets of a pool: its exits and who leaves through them first. */
export function PoolFieldset({ form }: PoolFieldsetProps) {
  const { value } = form
  // A field that needs a change must be in sight.
  const folded = Object.keys(form.error?.errors ?? {}).length === 0
  return (
    <>
      <Field label="Name" name="name">
        <Input {...form.text('name')} placeholder="EU exits" maxLength={80} />
      </Field>
      <Field
        label="Exits"
        group
        hint="http, https, socks5 (names are looked up here) or socks5h (the proxy looks them up). A password is sealed when it is saved and shown masked; its mask, left alone, keeps it."
      >
        <EndpointsEditor value={value.endpoints} onChange={(rows) => form.set('endpoints', rows)} />
      </Field>
      <Field label="Which exit a call takes" name="strategy" hint={STRATEGY_HINTS[value.strategy]}>
        <Select value={value.strategy} options={STRATEGIES} onChange={(strategy) => form.set('strategy', strategy)} />
      </Field>
      <Scope form={form} />
      <Strict form={form} />
      <FormGroup title="Hosts that go direct" folded={folded && value.no_proxy.length === 0}>
        <Field
          label="Direct"
          name="no_proxy"
          group
          hint="Names with their subdomains, addresses or blocks such as 10.0.0.0/8. Names are not looked up for it."
        >
          <TagsInput
            what="host"
            placeholder="internal.example"
            value={value.no_proxy}
            onChange={(hosts) => form.set('no_proxy', hosts)}
          />
        </Field>
      </FormGroup>
      <FormGroup title="Checks" folded={folded && JSON.stringify(value.check) === JSON.stringify(NEW_FIELDS.check)}>
        <Checks value={value.check} onChange={(check) => form.set('check', check)} />
      </FormGroup>
    </>
  )
}

const REACHES = [
  { value: 'manual', label: 'Who names it' },
  { value: 'provider', label: 'One provider' },
  { value: 'global', label: 'Everything' },
] as const
type Reach = (typeof REACHES)[number]['value']

const REACH_HINTS: Readonly<Record<Reach, string>> = {
  manual: 'Accounts and custom providers that choose the pool, and nobody else.',
  provider: 'All accounts at the provider, unless an account has chosen for itself.',
  global: 'All calls for which nothing else is chosen. What is on this machine or its network still goes direct.',
}

function Scope({ form }: PoolFieldsetProps) {
  const { scope } = form.value
  const provider = providerOf(scope)
  const reach = provider !== null ? 'provider' : scope === 'global' ? 'global' : 'manual'
  const choose = (next: Reach): void => form.set('scope', next === 'provider' ? scopeOfProvider('') : next)
  return (
    <div className="grid gap-4">
      <Field label="Who leaves through it" name="scope" group hint={REACH_HINTS[reach]}>
        <div>
          <Segmented label="Who leaves through it" value={reach} options={REACHES} onChange={choose} />
        </div>
      </Field>
      {provider !== null && (
        <Field label="Provider">
          <ProviderSelect value={provider} onChange={(id) => form.set('scope', scopeOfProvider(id))} />
        </Field>
      )}
      <p className="text-caption text-faint">
        An account’s own choice comes first, then its provider’s, then the pool for everything. Each provider has at
        most one pool, and so has everything.
      </p>
    </div>
  )
}

interface Named {
  readonly id: string
  readonly name: string
}

function ProviderSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const providers = useApiQuery<readonly Named[]>('/v1/providers', { limit: 100, sort: 'name', order: 'asc' })
  const known = (providers.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isKnown = value === '' || known.some((option) => option.value === value)
  const options = [
    ...(value === '' ? [{ value: '', label: 'Choose one' }] : []),
    ...(isKnown ? [] : [{ value, label: value }]),
    ...known,
  ]
  return <Select value={value} options={options} onChange={onChange} />
}

function Strict({ form }: PoolFieldsetProps) {
  const { strict } = form.value
  return (
    <div className="grid gap-1.5">
      <Switch label="Strict: never go direct" checked={strict} onChange={(on) => form.set('strict', on)} />
      <p className="text-caption text-faint">
        {strict
          ? 'While no exit works, calls fail. Nobody sees this machine’s own address.'
          : 'While no exit works, calls go direct from this machine’s own address, and the log says so.'}
      </p>
    </div>
  )
}

const CHECK_NUMBERS = [
  { name: 'every_s', label: 'Every, in seconds' },
  { name: 'timeout_ms', label: 'Waits at most, in ms' },
  { name: 'fail_after', label: 'Down after failures' },
  { name: 'ok_after', label: 'Back after passes' },
] as const

function Checks({ value, onChange }: { value: CheckFields; onChange: (value: CheckFields) => void }) {
  return (
    <>
      <Field
        label="Address that is fetched"
        name="check.url"
        aside="optional"
        hint="An https address, through each exit. Left empty, the exit has to connect to a provider that uses the pool. An address that answers with the caller’s own shows where the exit comes out."
      >
        <Input
          mono
          inputMode="url"
          placeholder="https://ip.example/json"
          value={value.url}
          onChange={({ target }) => onChange({ ...value, url: target.value })}
        />
      </Field>
      <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-4">
        {CHECK_NUMBERS.map(({ name, label }) => (
          <Field key={name} label={label} name={`check.${name}`}>
            <Input
              inputMode="numeric"
              value={value[name]}
              onChange={({ target }) => onChange({ ...value, [name]: target.value })}
            />
          </Field>
        ))}
      </div>
    </>
  )
}
