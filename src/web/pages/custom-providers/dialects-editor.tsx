import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Input } from '../../components/input.tsx'
import { Select } from '../../components/select.tsx'
import type { CustomProvider } from '../../wire.ts'
import { DIALECT_WORDS, DIALECTS } from './data.ts'

type Address = CustomProvider['dialects'][number]

export interface DialectsEditorProps {
  readonly value: readonly Address[]
  readonly onChange: (value: Address[]) => void
}

const OPTIONS = DIALECTS.map((value) => ({ value: value as Address['dialect'], label: DIALECT_WORDS[value] }))
const ENDS = {
  openai_chat: '/chat/completions',
  openai_responses: '/responses',
  anthropic_messages: '/messages',
  gemini: '/models/…',
  ollama: '/api/chat',
  bedrock_converse: '/model/…/converse',
  cohere_v2: '/chat',
} as const

/** The formats that the host speaks and where. The first is used for clients that speak none of them. */
export function DialectsEditor({ value, onChange }: DialectsEditorProps) {
  const unused = DIALECTS.find((name) => !value.some(({ dialect }) => dialect === name))
  const edit = (at: number, part: Partial<Address>): void =>
    onChange(value.map((address, index) => (index === at ? { ...address, ...part } : address)))
  return (
    <div className="grid gap-4">
      {value.map(({ dialect, base_url }, at) => (
        <div key={at} className="grid items-start gap-2 sm:grid-cols-[11rem_1fr_auto]">
          <Field label={at === 0 ? 'Format' : `Format ${at + 1}`} name={`dialects.${at}.dialect`}>
            <Select value={dialect} options={OPTIONS} onChange={(next) => edit(at, { dialect: next })} />
          </Field>
          <Field
            label={at === 0 ? 'Base URL' : `Base URL ${at + 1}`}
            name={`dialects.${at}.base_url`}
            hint={at === 0 ? `What stands before ${endOf(dialect)}.` : undefined}
          >
            <Input
              mono
              inputMode="url"
              placeholder="https://llm.example.com/v1"
              value={base_url}
              onChange={(event) => edit(at, { base_url: event.target.value })}
            />
          </Field>
          {value.length > 1 && (
            <span className="sm:mt-5.5">
              <IconButton
                icon={Trash2}
                label={`Remove format ${at + 1}`}
                onClick={() => onChange(value.filter((_, index) => index !== at))}
              />
            </span>
          )}
        </div>
      ))}
      {unused !== undefined && (
        <div>
          <Button
            small
            tone="quiet"
            icon={Plus}
            onClick={() => onChange([...value, { dialect: unused, base_url: value[0]?.base_url ?? '' }])}
          >
            Add a format
          </Button>
        </div>
      )}
    </div>
  )
}

function endOf(dialect: string): string {
  return (ENDS as Readonly<Record<string, string>>)[dialect] ?? 'the path'
}
