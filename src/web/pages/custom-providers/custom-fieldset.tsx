import { Callout } from '../../components/callout.tsx'
import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { ProxyChoice } from '../../components/proxy-choice.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Select } from '../../components/select.tsx'
import { Switch } from '../../components/switch.tsx'
import type { FormState } from '../../components/use-form.ts'
import { networkOf } from '../../network.ts'
import type { CustomProvider } from '../../wire.ts'
import { type CustomFields, leavesHosts } from './custom-draft.ts'
import { DataFields } from './data-fields.tsx'
import { DialectsEditor } from './dialects-editor.tsx'
import { FixedValuesEditor } from './fixed-values-editor.tsx'
import { ModelsEditor } from './models-editor.tsx'
import { QuirksEditor } from './quirks-editor.tsx'

export interface CustomFieldsetProps {
  readonly form: FormState<CustomFields>
  /** The provider as it is stored; undefined for a new one. */
  readonly stored?: CustomProvider
}

/** Everything that describes a provider, what every host needs first. */
export function CustomFieldset({ form, stored }: CustomFieldsetProps) {
  // A field that needs a change must be in sight.
  const folded = Object.keys(form.error?.errors ?? {}).length === 0
  const { value } = form
  const isNew = stored === undefined
  return (
    <>
      {isNew && <Names form={form} />}
      {!isNew && (
        <Field label="Name" name="name">
          <Input {...form.text('name')} maxLength={80} />
        </Field>
      )}
      <DialectsEditor value={value.dialects} onChange={(dialects) => form.set('dialects', dialects)} />
      {stored !== undefined && leavesHosts(stored, value) && (
        <Callout tone="caution">
          This is another host: secret headers and parameters, and the keys of its accounts, are dropped when you save.
          {saysOfData(value) && ' What is said of its regions and data stays: is it true of this host, too?'}
        </Callout>
      )}
      <PrivateNetwork form={form} />
      <SignIn form={form} />
      <FormGroup title="Models" folded={folded && value.models_mode === 'fetch' && !isNew}>
        <Models form={form} />
      </FormGroup>
      <FormGroup title="Headers and parameters" folded={folded && value.headers.length + value.query.length === 0}>
        <Field label="Headers" name="headers" group hint="Sent with every call. Secret ones are sealed on disk.">
          <FixedValuesEditor what="Header" value={value.headers} onChange={(rows) => form.set('headers', rows)} />
        </Field>
        <Field label="Parameters of the address" name="query" group hint="Such as api-version.">
          <FixedValuesEditor what="Parameter" value={value.query} onChange={(rows) => form.set('query', rows)} />
        </Field>
      </FormGroup>
      <FormGroup title="Regions and data" folded={folded && !saysOfData(value)}>
        <DataFields form={form} />
      </FormGroup>
      <FormGroup title="Quirks" folded={folded && Object.keys(value.quirks).length === 0}>
        <QuirksEditor value={value.quirks} onChange={(quirks) => form.set('quirks', quirks)} />
      </FormGroup>
      <FormGroup title="Paths and proxy" folded={folded && isUsualWay(value)}>
        <Paths form={form} />
        <ProxyChoice
          value={value.proxy_pool_id}
          inherited="As everything"
          hint="An account may choose another one."
          onChange={(id) => form.set('proxy_pool_id', id)}
        />
      </FormGroup>
    </>
  )
}

function isUsualWay({ paths, proxy_pool_id }: CustomFields): boolean {
  return proxy_pool_id === '' && Object.values(paths).every((path) => path === '')
}

function saysOfData({ regions, data_policy }: CustomFields): boolean {
  return regions.length > 0 || Object.values(data_policy).some((answer) => answer !== null)
}

function Names({ form }: CustomFieldsetProps) {
  const { slug } = form.value
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Slug" name="slug" hint={`Models are named ${slug || 'slug'}/model. It cannot be changed later.`}>
        <Input mono placeholder="rack" autoCapitalize="none" spellCheck={false} {...form.text('slug')} />
      </Field>
      <Field label="Name" name="name" aside="optional">
        <Input placeholder={slug || 'Rack'} maxLength={80} {...form.text('name')} />
      </Field>
    </div>
  )
}

function PrivateNetwork({ form }: CustomFieldsetProps) {
  const { dialects, allow_private_network } = form.value
  const isInside = dialects.some(({ base_url }) => networkOf(base_url) !== 'internet')
  return (
    <div className="grid gap-1.5">
      <Switch
        label="Allow addresses on this machine and its network"
        checked={allow_private_network}
        onChange={(on) => form.set('allow_private_network', on)}
      />
      <p className="text-caption text-faint">
        Off, calls to private addresses are refused, whatever a name resolves to, so that nobody reaches into your
        network through the gateway. On, http is allowed there too.
      </p>
      {isInside && !allow_private_network && (
        <p className="text-caption text-caution">
          An address above is on this machine or its network: it needs this switch.
        </p>
      )}
    </div>
  )
}

type Scheme = CustomProvider['auth_scheme']

const SCHEMES: readonly { readonly value: Scheme; readonly label: string }[] = [
  { value: 'bearer', label: 'Key as bearer token' },
  { value: 'x-api-key', label: 'Key in x-api-key' },
  { value: 'api-key', label: 'Key in api-key' },
  { value: 'x-goog-api-key', label: 'Key in x-goog-api-key' },
  { value: 'query', label: 'Key in the address' },
  { value: 'none', label: 'No key: the server is open' },
]

const USUAL: Readonly<Record<Scheme, { readonly header: string; readonly prefix: string }>> = {
  bearer: { header: 'authorization', prefix: 'Bearer ' },
  'x-api-key': { header: 'x-api-key', prefix: '' },
  'api-key': { header: 'api-key', prefix: '' },
  'x-goog-api-key': { header: 'x-goog-api-key', prefix: '' },
  query: { header: 'key', prefix: '' },
  none: { header: '', prefix: '' },
}

function SignIn({ form }: CustomFieldsetProps) {
  const { auth_scheme, auth_prefix } = form.value
  const usual = USUAL[auth_scheme]
  function choose(scheme: Scheme): void {
    form.set('auth_scheme', scheme)
    form.set('auth_header', '')
    form.set('auth_prefix', null)
  }
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <Field label="Sign-in" name="auth_scheme">
        <Select value={auth_scheme} options={SCHEMES} onChange={choose} />
      </Field>
      {auth_scheme !== 'none' && (
        <>
          <Field label={auth_scheme === 'query' ? 'Parameter' : 'Header'} name="auth_header">
            <Input mono placeholder={usual.header} {...form.text('auth_header')} />
          </Field>
          {auth_scheme !== 'query' && (
            <Field label="Before the key" name="auth_prefix">
              <Input
                mono
                placeholder={usual.prefix || 'nothing'}
                value={auth_prefix ?? ''}
                onChange={(event) => form.set('auth_prefix', event.target.value === '' ? null : event.target.value)}
              />
            </Field>
          )}
        </>
      )}
    </div>
  )
}

const MODES = [
  { value: 'fetch', label: 'Ask the host' },
  { value: 'static', label: 'List them here' },
  { value: 'both', label: 'Both' },
] as const

function Models({ form }: CustomFieldsetProps) {
  const { models_mode, models } = form.value
  return (
    <>
      <div>
        <Segmented
          label="Where the models come from"
          value={models_mode}
          options={MODES}
          onChange={(mode) => form.set('models_mode', mode)}
        />
      </div>
      {models_mode === 'fetch' ? (
        <p className="text-caption text-faint">
          Their list is asked for with an account, at /models. Requests on them stay unpriced.
        </p>
      ) : (
        <ModelsEditor value={models} onChange={(rows) => form.set('models', rows)} />
      )}
    </>
  )
}

const PATHS = [
  { name: 'chat', label: 'Chat Completions', usual: '/chat/completions' },
  { name: 'responses', label: 'Responses', usual: '/responses' },
  { name: 'messages', label: 'Messages', usual: '/messages' },
  { name: 'models', label: 'List of models', usual: '/models' },
] as const

function Paths({ form }: CustomFieldsetProps) {
  const { paths } = form.value
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {PATHS.map(({ name, label, usual }) => (
        <Field key={name} label={label} name={`paths.${name}`}>
          <Input
            mono
            placeholder={usual}
            value={paths[name]}
            onChange={(event) => form.set('paths', { ...paths, [name]: event.target.value })}
          />
        </Field>
      ))}
    </div>
  )
}
