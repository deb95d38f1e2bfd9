import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { Input, Textarea } from '../../components/input.tsx'
import { NumberInput } from '../../components/number-input.tsx'
import { Select } from '../../components/select.tsx'
import { useNames } from '../../names.tsx'
import { type Ask, type Endpoint, type Range, type Trait, TRAITS } from './ask.ts'

interface AskFieldsProps {
  readonly ask: Ask
  readonly onAsk: (ask: Ask) => void
}

export function AskFields(props: AskFieldsProps) {
  if (props.ask.mode === 'describe') return <Described {...props} />
  return props.ask.mode === 'paste' ? <Pasted {...props} /> : <Past {...props} />
}

const TRAIT_WORDS: Readonly<Record<Trait, string>> = {
  tools: 'Tools',
  images: 'Images',
  documents: 'Documents',
  thinking: 'Thinking',
  structured_output: 'JSON schema',
  stream: 'Streamed',
}

function Described({ ask, onAsk }: AskFieldsProps) {
  const toggle = (trait: Trait, on: boolean): void =>
    onAsk({ ...ask, traits: TRAITS.filter((one) => (one === trait ? on : ask.traits.includes(one))) })
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label="Input tokens">
          <NumberInput value={ask.inputTokens} onChange={(inputTokens) => onAsk({ ...ask, inputTokens })} />
        </Field>
        <Field label="Client" aside="optional">
          <Input
            mono
            placeholder="claude-code"
            value={ask.client}
            onChange={({ target }) => onAsk({ ...ask, client: target.value.trim() })}
          />
        </Field>
      </div>
      <Field label="It has" group>
        <div className="grid grid-cols-2 gap-x-4 gap-y-1">
          {TRAITS.map((trait) => (
            <Checkbox
              key={trait}
              label={TRAIT_WORDS[trait]}
              checked={ask.traits.includes(trait)}
              onChange={(on) => toggle(trait, on)}
            />
          ))}
        </div>
      </Field>
      <KeyField ask={ask} onAsk={onAsk} />
    </>
  )
}

function KeyField({ ask, onAsk }: AskFieldsProps) {
  const keys = useNames('/v1/keys').map(({ id, name }) => ({ value: id, label: name }))
  return (
    <Field label="Sent with key">
      <Select
        value={ask.keyId}
        options={[{ value: '', label: 'no key' }, ...keys]}
        onChange={(keyId) => onAsk({ ...ask, keyId })}
      />
    </Field>
  )
}

const ENDPOINTS: readonly { readonly value: Endpoint; readonly label: string }[] = [
  { value: 'chat', label: 'Chat Completions' },
  { value: 'messages', label: 'Messages' },
  { value: 'responses', label: 'Responses' },
  { value: 'gemini', label: 'Gemini' },
  { value: 'ollama', label: 'Ollama' },
]

function Pasted({ ask, onAsk }: AskFieldsProps) {
  return (
    <>
      <Field label="Format">
        <Select value={ask.endpoint} options={ENDPOINTS} onChange={(endpoint) => onAsk({ ...ask, endpoint })} />
      </Field>
      <Field label="Body" hint="As a client would send it; its model does not matter.">
        <Textarea
          mono
          rows={7}
          spellCheck={false}
          placeholder={'{"messages": [{"role": "user", "content": "Hello"}]}'}
          value={ask.body}
          onChange={({ target }) => onAsk({ ...ask, body: target.value })}
        />
      </Field>
      <KeyField ask={ask} onAsk={onAsk} />
    </>
  )
}

const RANGES: readonly { readonly value: Range; readonly label: string }[] = [
  { value: 'today', label: 'of today' },
  { value: '24h', label: 'of the last 24 hours' },
  { value: '7d', label: 'of the last 7 days' },
  { value: '30d', label: 'of the last 30 days' },
]

function Past({ ask, onAsk }: AskFieldsProps) {
  return (
    <Field label="The last 100 requests" hint="Those that this chain took; of a new chain, those of all.">
      <Select value={ask.range} options={RANGES} onChange={(range) => onAsk({ ...ask, range })} />
    </Field>
  )
}
