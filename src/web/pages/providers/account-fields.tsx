import { Callout } from '../../components/callout.tsx'
import { CredentialInput } from '../../components/credential-input.tsx'
import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { KeyValueEditor } from '../../components/key-value-editor.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { ParamFields } from '../../components/param-fields.tsx'
import { ProxyChoice } from '../../components/proxy-choice.tsx'
import { Select } from '../../components/select.tsx'
import { Switch } from '../../components/switch.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import type { FormState } from '../../components/use-form.ts'
import { fieldsFor, filledAddress } from '../../credential-fields.ts'
import { BUDGET_PERIODS } from '../../limit-words.ts'
import { networkOf } from '../../network.ts'
import type { Account, Provider } from '../../wire.ts'
import { type AccountFields, dropsSecrets } from './account-draft.ts'

export interface AccountFieldsProps {
  readonly provider: Provider
  readonly form: FormState<AccountFields>
  /** The account as it is stored; undefined for a new one. */
  readonly stored?: Account
}

/** Everything that an account has, the provider's own fields first. What most people leave alone is folded. */
export function AccountFieldset({ provider, form, stored }: AccountFieldsProps) {
  // A field that needs a change must be in sight.
  const folded = Object.keys(form.error?.errors ?? {}).length === 0
  const { base_url_override, proxy_pool_id, region } = form.value
  const isUsual = base_url_override === '' && proxy_pool_id === '' && region === (stored?.region ?? '')
  const isUsualAddress = provider.kind !== 'local' && isUsual
  return (
    <>
      <SignIn provider={provider} form={form} {...(stored && { stored })} />
      <Field label="Name" name="name" hint={stored ? undefined : 'Left empty, it is numbered.'}>
        <Input {...form.text('name')} placeholder="main" maxLength={80} />
      </Field>
      <FormGroup title="Address" folded={folded && isUsualAddress}>
        <Address provider={provider} form={form} {...(stored && { stored })} />
      </FormGroup>
      <FormGroup title="Routing" folded={folded}>
        <Routing provider={provider} form={form} />
      </FormGroup>
      <FormGroup title="More" folded={folded}>
        <More form={form} />
      </FormGroup>
    </>
  )
}

const SCHEME_WORDS: Readonly<Record<Account['auth_type'], string>> = {
  none: 'No key: the server is open',
  bearer: 'Key as bearer token',
  'x-api-key': 'Key in x-api-key',
  'api-key': 'Key in api-key',
  'x-goog-api-key': 'Key in x-goog-api-key',
  query: 'Key in the address',
  sigv4: 'AWS access key',
  'gcp-sa': 'Service account',
  'oauth-client': 'Client id and secret',
}

function SignIn({ provider, form, stored }: AccountFieldsProps) {
  const { schemes } = provider.auth
  const { auth_type, credentials } = form.value
  return (
    <>
      {schemes.length > 1 && (
        <Field label="Sign-in" name="auth_type">
          <Select
            value={auth_type}
            options={(schemes as Account['auth_type'][]).map((value) => ({ value, label: SCHEME_WORDS[value] }))} // words of the same list
            onChange={(scheme) => form.set('auth_type', scheme)}
          />
        </Field>
      )}
      {fieldsFor(provider, auth_type).map((field) => {
        const { name, label, secret, required, placeholder } = field
        const masked = secret ? stored?.credentials_masked[name] : undefined
        return (
          <Field
            key={name}
            label={label}
            name={`credentials.${name}`}
            aside={required || name === 'api_key' ? undefined : 'optional'}
            hint={masked === undefined ? undefined : `Stored: ${masked}. Left empty, it stays.`}
          >
            <CredentialInput
              field={field}
              value={credentials[name] ?? ''}
              placeholder={masked ?? placeholder ?? undefined}
              onChange={(value) => form.set('credentials', { ...credentials, [name]: value })}
            />
          </Field>
        )
      })}
    </>
  )
}

function Address({ provider, form, stored }: AccountFieldsProps) {
  const { base_url_override, allow_private_network, credentials } = form.value
  const own = filledAddress(provider.dialects[0]?.base_url ?? '', credentials)
  const network = networkOf(base_url_override)
  return (
    <>
      <Field
        label="Base URL"
        name="base_url_override"
        hint={`Instead of ${own}. A stored key is never sent to another host: enter it again with a new address.`}
      >
        <Input mono inputMode="url" {...form.text('base_url_override')} placeholder={own} />
      </Field>
      {stored !== undefined && dropsSecrets(provider, stored, form.value) && (
        <Callout tone="caution">
          This is another host: the stored key is dropped when you save, unless you enter one above.
        </Callout>
      )}
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
        {network !== 'internet' && !allow_private_network && (
          <p className="text-caption text-caution">This address is on {withArticle(network)}: it needs this switch.</p>
        )}
      </div>
      {provider.auth.region_field === null && (
        <Field
          label="Region"
          name="region"
          aside="optional"
          hint="Where its calls go, such as eu. Chains that allow some regions alone use it only where one says it."
        >
          <Input
            mono
            autoCapitalize="none"
            spellCheck={false}
            {...form.text('region')}
            placeholder={provider.regions[0]}
          />
        </Field>
      )}
      <ProxyChoice
        value={form.value.proxy_pool_id}
        inherited="As its provider, else as everything"
        hint="Its own choice beats that of its provider and the pool for everything."
        onChange={(id) => form.set('proxy_pool_id', id)}
      />
    </>
  )
}

function Routing({ provider, form }: AccountFieldsProps) {
  const { models_allow, models_deny, model_map } = form.value
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-4">
        <Field label="Priority" name="priority" hint="0 to 100. The lowest is tried first.">
          <Input inputMode="numeric" {...form.text('priority')} />
        </Field>
        <Field label="Weight" name="weight" hint="0 to 1000. The heaviest first among equals.">
          <Input inputMode="numeric" {...form.text('weight')} />
        </Field>
      </div>
      <div className="grid grid-cols-3 items-start gap-4">
        <Field label="Requests per minute" name="rpm" hint="Kept here, so that the provider never has to refuse.">
          <Input inputMode="numeric" placeholder="No limit" {...form.text('rpm')} />
        </Field>
        <Field label="Tokens per minute" name="tpm" hint="Prompt and answer together.">
          <Input inputMode="numeric" placeholder="No limit" {...form.text('tpm')} />
        </Field>
        <Field label="Requests at once" name="max_concurrency">
          <Input inputMode="numeric" placeholder="No limit" {...form.text('max_concurrency')} />
        </Field>
      </div>
      <Budget form={form} />
      <Field
        label="Models"
        name="models_allow"
        group
        hint="Names or patterns with *. Other models never use this account."
      >
        <TagsInput
          what="pattern"
          value={models_allow}
          placeholder={`${provider.id}/*`}
          onChange={(value) => form.set('models_allow', value)}
        />
      </Field>
      <Field label="But not" name="models_deny" group hint="Beats the list above.">
        <TagsInput what="pattern" value={models_deny} onChange={(value) => form.set('models_deny', value)} />
      </Field>
      <Field label="Other names" name="model_map" group hint="The name that is asked for, and the provider’s own.">
        <KeyValueEditor
          what="Model"
          keyPlaceholder="gpt-5-mini"
          valuePlaceholder="my-deployment"
          value={model_map}
          onChange={(value) => form.set('model_map', value)}
        />
      </Field>
    </>
  )
}

function Budget({ form }: Pick<AccountFieldsProps, 'form'>) {
  const { budget_usd, budget_period } = form.value
  return (
    <div className="grid grid-cols-2 items-start gap-4">
      <Field
        label="May cost, $"
        name="budget_usd"
        hint="Such as a grant of the provider’s. Then other accounts are used until the period is over."
      >
        <NumberInput value={budget_usd} placeholder="no limit" onChange={(usd) => form.set('budget_usd', usd)} />
      </Field>
      <Field label="How often" name="budget_period" hint="Days and other periods begin in UTC.">
        <Select
          value={budget_period}
          options={BUDGET_PERIODS}
          onChange={(period) => form.set('budget_period', period)}
        />
      </Field>
    </div>
  )
}

function More({ form }: Pick<AccountFieldsProps, 'form'>) {
  return (
    <>
      <ParamFields path="params" value={form.value.params} onChange={(params) => form.set('params', params)} />
      <Field
        label="Headers"
        name="headers"
        group
        hint="Sent with every call. Keys belong above, where they are sealed."
      >
        <KeyValueEditor what="Header" value={form.value.headers} onChange={(value) => form.set('headers', value)} />
      </Field>
      <Field label="Credential expires" name="expires_at" hint="Warned about seven days ahead.">
        <Input type="datetime-local" {...form.text('expires_at')} />
      </Field>
      <Field label="Tags" name="tags" group>
        <KeyValueEditor what="Tag" value={form.value.tags} onChange={(value) => form.set('tags', value)} />
      </Field>
    </>
  )
}

function withArticle(network: string): string {
  return network === 'this machine' ? network : `a ${network}`
}
