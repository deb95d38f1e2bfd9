import type { CredentialField } from '../credential-fields.ts'
import { Input, PasswordInput, Textarea } from './input.tsx'

const KEY_FILE_ROWS = 6

export interface CredentialInputProps {
  readonly field: CredentialField
  readonly value: string
  readonly placeholder: string | undefined
  readonly autoFocus?: boolean
  readonly onChange: (value: string) => void
}

/** Takes one part of a credential: a secret is hidden while it is typed, a key file has lines. */
export function CredentialInput({ field, onChange, ...rest }: CredentialInputProps) {
  const control = { ...rest, autoComplete: 'off', spellCheck: false } as const
  if (field.multiline) {
    return <Textarea {...control} mono rows={KEY_FILE_ROWS} onChange={({ target }) => onChange(target.value)} />
  }
  const Control = field.secret ? PasswordInput : Input
  return <Control {...control} onChange={({ target }) => onChange(target.value)} />
}
