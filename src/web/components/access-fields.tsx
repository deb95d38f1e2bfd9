/** Which models and endpoints may be used, as plans and keys say it. An empty list is "no rule of its own". */
import type { ReactNode } from 'react'
import { useGatewayModels } from '../gateway-models.ts'
import type { KeyChange } from '../wire.ts'
import { AllowedModels } from './allowed-models.tsx'
import { Checkbox } from './checkbox.tsx'
import { Field } from './field.tsx'
import { TagsInput } from './tags-input.tsx'

export type Endpoint = NonNullable<NonNullable<KeyChange['endpoints_allow']>[number]>

export const ENDPOINTS: readonly { readonly word: Endpoint; readonly label: string }[] = [
  { word: 'messages', label: 'Messages' },
  { word: 'chat', label: 'Chat completions' },
  { word: 'responses', label: 'Responses' },
  { word: 'gemini', label: 'Gemini' },
  { word: 'ollama', label: 'Ollama' },
  { word: 'count_tokens', label: 'Count tokens' },
  { word: 'models', label: 'List models' },
]

export interface AccessRules {
  readonly models_allow: readonly string[]
  readonly models_deny: readonly string[]
  readonly endpoints_allow: readonly Endpoint[]
}

export interface AccessFieldsProps {
  readonly rules: AccessRules
  readonly set: { readonly [Name in keyof AccessRules]: (list: AccessRules[Name]) => void }
  /** What holds where a list is empty; null allows all. */
  readonly otherwise?: { readonly allow: readonly string[] | null; readonly deny: readonly string[] | null }
  /** What an empty list means, in words. */
  readonly empty: { readonly allow: string; readonly deny: string; readonly endpoints: string }
}

export function AccessFields(props: AccessFieldsProps) {
  return (
    <>
      <ModelFields {...props} />
      <EndpointField {...props} />
    </>
  )
}

const NOTHING_SAID = { allow: null, deny: null }

function ModelFields({ rules, set, otherwise = NOTHING_SAID, empty }: AccessFieldsProps) {
  const { names } = useGatewayModels()
  const providers = [...new Set(names.map((name) => `${name.slice(0, name.indexOf('/'))}/*`))]
  const suggestions = [...providers, ...names]
  const { models_allow: allow, models_deny: deny } = rules
  return (
    <>
      <Field label="May use" name="models_allow" group hint={<PatternHint>Empty: {empty.allow}.</PatternHint>}>
        <TagsInput
          what="allowed pattern"
          placeholder={empty.allow}
          suggestions={suggestions}
          value={allow}
          onChange={set.models_allow}
        />
      </Field>
      <Field label="May not use" name="models_deny" group hint={`Wins over what is allowed. Empty: ${empty.deny}.`}>
        <TagsInput
          what="denied pattern"
          placeholder={empty.deny}
          suggestions={suggestions}
          value={deny}
          onChange={set.models_deny}
        />
      </Field>
      <AllowedModels
        allow={allow.length === 0 ? otherwise.allow : allow}
        deny={deny.length === 0 ? otherwise.deny : deny}
      />
    </>
  )
}

function PatternHint({ children }: { children: ReactNode }) {
  return (
    <>
      Names or patterns, in which <code>*</code> stands for any text: <code>anthropic/*</code>,{' '}
      <code>*/claude-haiku-*</code>. {children}
    </>
  )
}

function EndpointField({ rules, set, empty }: AccessFieldsProps) {
  const chosen = rules.endpoints_allow
  const toggle = (word: Endpoint, on: boolean): void =>
    set.endpoints_allow(on ? [...chosen, word] : chosen.filter((other) => other !== word))
  return (
    <Field label="Endpoints" name="endpoints_allow" group hint={`None chosen: ${empty.endpoints}.`}>
      <div className="grid gap-2 sm:grid-cols-3">
        {ENDPOINTS.map(({ word, label }) => (
          <Checkbox key={word} label={label} checked={chosen.includes(word)} onChange={(on) => toggle(word, on)} />
        ))}
      </div>
    </Field>
  )
}
