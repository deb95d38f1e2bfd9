import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { FormGroup } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { KeyValueEditor } from '../../components/key-value-editor.tsx'
import { TagsInput } from '../../components/tags-input.tsx'
import type { FormState } from '../../components/use-form.ts'
import { useGatewayModels } from '../../gateway-models.ts'
import { AllowedModels } from './allowed-models.tsx'
import type { Endpoint, KeyForm } from './key-draft.ts'
import { SkillFields } from './skill-fields.tsx'

const ENDPOINTS: readonly { readonly word: Endpoint; readonly label: string }[] = [
  { word: 'messages', label: 'Messages' },
  { word: 'chat', label: 'Chat completions' },
  { word: 'responses', label: 'Responses' },
  { word: 'gemini', label: 'Gemini' },
  { word: 'ollama', label: 'Ollama' },
  { word: 'count_tokens', label: 'Count tokens' },
  { word: 'models', label: 'List models' },
]

/** Everything that can be said about a key, for a new one and for one that exists. */
export function KeyFields({ form, folded }: { form: FormState<KeyForm>; folded: boolean }) {
  return (
    <>
      <Field label="Name" name="name" hint="Who or what uses it: laptop, ci-bot, home-assistant.">
        <Input autoFocus={folded} {...form.text('name')} />
      </Field>
      <FormGroup title="Models and endpoints" folded={folded}>
        <ModelFields form={form} />
        <EndpointField form={form} />
      </FormGroup>
      <FormGroup title="Where from and how long" folded={folded}>
        <Field
          label="Addresses"
          name="ip_allowlist"
          group
          hint="Only clients at these addresses or in these blocks, such as 10.0.0.0/8. Empty: from anywhere."
        >
          <TagsInput
            what="address"
            placeholder="10.0.0.0/8"
            value={form.value.ip_allowlist}
            onChange={(list) => form.set('ip_allowlist', list)}
          />
        </Field>
        <Field label="Expires" name="expires_at" hint="In your time zone. Empty: never.">
          <Input type="datetime-local" className="max-w-60" {...form.text('expires_at')} />
        </Field>
        <Field
          label="Remind to rotate, days"
          name="rotation"
          hint="Only a reminder: the secret changes when you rotate it."
        >
          <Input inputMode="numeric" className="max-w-32" placeholder="90" {...form.text('rotation')} />
        </Field>
      </FormGroup>
      <FormGroup title="Skills" folded={folded}>
        <SkillFields form={form} />
      </FormGroup>
      <FormGroup title="Tags" folded={folded}>
        <Field label="Tags" name="tags" group hint="To group requests and their cost by, such as team = platform.">
          <KeyValueEditor
            what="Tag"
            keyPlaceholder="team"
            valuePlaceholder="platform"
            value={form.value.tags}
            onChange={(tags) => form.set('tags', tags)}
          />
        </Field>
      </FormGroup>
    </>
  )
}

function ModelFields({ form }: { form: FormState<KeyForm> }) {
  const { names } = useGatewayModels()
  const providers = [...new Set(names.map((name) => `${name.slice(0, name.indexOf('/'))}/*`))]
  const { models_allow: allow, models_deny: deny } = form.value
  return (
    <>
      <Field
        label="May use"
        name="models_allow"
        group
        hint={
          <>
            Names or patterns, in which <code>*</code> stands for any text: <code>anthropic/*</code>,{' '}
            <code>*/claude-haiku-*</code>. Empty: all models.
          </>
        }
      >
        <TagsInput
          what="allowed pattern"
          placeholder="all models"
          suggestions={[...providers, ...names]}
          value={allow}
          onChange={(list) => form.set('models_allow', list)}
        />
      </Field>
      <Field label="May not use" name="models_deny" group hint="Wins over what is allowed.">
        <TagsInput
          what="denied pattern"
          placeholder="none"
          suggestions={[...providers, ...names]}
          value={deny}
          onChange={(list) => form.set('models_deny', list)}
        />
      </Field>
      <AllowedModels allow={allow.length === 0 ? null : allow} deny={deny} />
    </>
  )
}

function EndpointField({ form }: { form: FormState<KeyForm> }) {
  const chosen = form.value.endpoints_allow
  const toggle = (word: Endpoint, on: boolean): void =>
    form.set('endpoints_allow', on ? [...chosen, word] : chosen.filter((other) => other !== word))
  return (
    <Field label="Endpoints" name="endpoints_allow" group hint="None chosen: all of them.">
      <div className="grid gap-2 sm:grid-cols-3">
        {ENDPOINTS.map(({ word, label }) => (
          <Checkbox key={word} label={label} checked={chosen.includes(word)} onChange={(on) => toggle(word, on)} />
        ))}
      </div>
    </Field>
  )
}
