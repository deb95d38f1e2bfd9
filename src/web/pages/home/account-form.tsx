import { ChevronLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api-error.ts'
import { useAnnounce, useApi } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { CredentialInput } from '../../components/credential-input.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Field } from '../../components/field.tsx'
import { messageFor } from '../../components/form-state.ts'
import { Input } from '../../components/input.tsx'
import { TestReport, TestRunning } from '../../components/test-report.tsx'
import type { AccountReport, NewAccount, Provider } from '../../wire.ts'
import { type CredentialField, fieldsFor } from '../../credential-fields.ts'
import { accounts } from '../../gateway-models.ts'

export interface AccountFormProps {
  readonly provider: Provider
  readonly onBack: () => void
  readonly onSaved: () => void
}

/** The fields that a provider lists. They are tested first; only what works is saved without asking again. */
export function AccountForm({ provider, onBack, onSaved }: AccountFormProps) {
  const [draft, setDraft] = useState<Draft>({ name: '', address: '', credentials: {} })
  const { report, error, busy, save, reset } = useTestedSave(provider, draft, onSaved)
  const change = (part: Partial<Draft>): void => {
    setDraft({ ...draft, ...part })
    reset()
  }
  const errorOf = (name: string) => error && messageFor(error.errors, name)
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (busy === undefined) void save(true)
  }
  return (
    <form onSubmit={onSubmit} noValidate className="grid max-w-130 gap-4">
      <div className="flex items-center gap-2">
        <Button small tone="quiet" icon={ChevronLeft} onClick={onBack}>
          Providers
        </Button>
        <span className="text-dense font-semibold">{provider.name}</span>
        {provider.signup_url !== null && (
          <a
            href={provider.signup_url}
            target="_blank"
            rel="noreferrer"
            className="text-dense text-accent hover:underline"
          >
            Get a key
          </a>
        )}
      </div>
      {error !== undefined && <Refused error={error} />}
      {formFields(provider).map((field, at) => (
        <Field
          key={field.name}
          label={field.label}
          aside={field.required ? undefined : 'optional'}
          error={errorOf(`credentials.${field.name}`)}
        >
          <CredentialInput
            field={field}
            autoFocus={at === 0}
            placeholder={field.placeholder ?? undefined}
            value={draft.credentials[field.name] ?? ''}
            onChange={(value) => change({ credentials: { ...draft.credentials, [field.name]: value } })}
          />
        </Field>
      ))}
      {provider.kind === 'local' && (
        <Field label="Address" aside="optional" error={errorOf('base_url_override')}>
          <Input
            mono
            type="url"
            placeholder={provider.dialects[0]?.base_url}
            value={draft.address}
            onChange={({ target }) => change({ address: target.value })}
          />
        </Field>
      )}
      <Field
        label="Name"
        aside="optional"
        hint="To tell several accounts at one provider apart."
        error={errorOf('name')}
      >
        <Input value={draft.name} placeholder="main" onChange={({ target }) => change({ name: target.value })} />
      </Field>
      {(report || busy === 'testing') && (
        <div className="rounded-control border border-line bg-sunken p-3">
          {report ? <TestReport report={report} /> : <TestRunning />}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" tone="primary" busy={busy !== undefined}>
          {busy === 'testing' ? 'Testing' : busy === 'saving' ? 'Saving' : report ? 'Test again' : 'Test and save'}
        </Button>
        {report?.ok === false && busy === undefined && (
          <Button onClick={() => void save(false)}>Save all the same</Button>
        )}
      </div>
    </form>
  )
}

/** Those of the provider's first way to sign in; a server that may run open shows what it may ask for. */
function formFields(provider: Provider): readonly CredentialField[] {
  const [first = 'none'] = provider.auth.schemes
  return first === 'none' ? provider.auth.fields : fieldsFor(provider, first)
}

function Refused({ error }: { error: ApiError }) {
  const unknown = Object.entries(error.errors).filter(
    ([path]) => !/^(credentials\.|name$|base_url_override$)/.test(path),
  )
  if (error.status === 422 && unknown.length === 0) return null
  const reasons = unknown.map(([path, texts]) => `${path}: ${texts.join(' ')}`).join(' ')
  return (
    <Callout tone="danger" alert>
      {reasonOf(error)} {reasons} Nothing was saved.
    </Callout>
  )
}

interface Draft {
  readonly name: string
  readonly address: string
  readonly credentials: Readonly<Record<string, string>>
}

/** Tests, then saves what has passed. A failed test leaves the choice to the reader. */
function useTestedSave(provider: Provider, draft: Draft, onSaved: () => void) {
  const api = useApi()
  const announce = useAnnounce()
  const create = accounts.useCreate()
  const [report, setReport] = useState<AccountReport>()
  const [error, setError] = useState<ApiError>()
  const [busy, setBusy] = useState<'testing' | 'saving'>()
  async function passes(): Promise<boolean> {
    setBusy('testing')
    setReport(undefined)
    const result = await api.post<AccountReport>('/v1/validate-key', tried(provider, draft))
    setReport(result)
    announce(result.ok ? 'The test has passed' : 'The test has failed')
    return result.ok
  }
  async function save(isTested: boolean): Promise<void> {
    setError(undefined)
    try {
      if (isTested && !(await passes())) return
      setBusy('saving')
      await create.mutateAsync({ ...tried(provider, draft), ...(draft.name.trim() && { name: draft.name.trim() }) })
      announce(`The account at ${provider.name} is saved`)
      onSaved()
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      setError(cause)
    } finally {
      setBusy(undefined)
    }
  }
  return { report, error, busy, save, reset: () => setReport(undefined) }
}

function tried(provider: Provider, { address, credentials }: Draft): NewAccount {
  const given = Object.entries(credentials).filter(([, value]) => value !== '')
  const override = address.trim()
  return {
    provider: provider.id,
    credentials: Object.fromEntries(given),
    ...(override !== '' && { base_url_override: override, allow_private_network: true }),
  }
}
