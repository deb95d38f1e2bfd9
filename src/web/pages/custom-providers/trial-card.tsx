import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../api-error.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { Checkbox } from '../../components/checkbox.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Field } from '../../components/field.tsx'
import { pathInWords } from '../../components/form-state.ts'
import { PasswordInput } from '../../components/input.tsx'
import { TestReport, TestRunning } from '../../components/test-report.tsx'
import { type CustomFields, trialOf } from './custom-draft.ts'
import { useTrial } from './use-trial.ts'

export interface TrialCardProps {
  readonly fields: CustomFields
  readonly isStored: boolean
  readonly apiKey: string
  readonly onApiKey: (key: string) => void
}

/** Tries the host with what is typed in the form, saved or not. */
export function TrialCard({ fields, isStored, apiKey, onApiKey }: TrialCardProps) {
  const trial = useTrial()
  const [isDeep, setDeep] = useState(false)
  const needsKey = fields.auth_scheme !== 'none'
  const missing = missingFor(fields, apiKey)
  return (
    <Card title="Test" aside="as it is typed, nothing is saved">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (missing === undefined && !trial.isRunning) void trial.run(trialOf(fields, apiKey, isStored), isDeep)
        }}
      >
        {needsKey && (
          <Field label="Key to test with" hint={isStored ? 'It is not kept.' : undefined}>
            <PasswordInput value={apiKey} onChange={(event) => onApiKey(event.target.value)} />
          </Field>
        )}
        <Checkbox
          label="Ask for one token, too"
          hint="Once whole and once streamed."
          checked={isDeep}
          onChange={setDeep}
        />
        <div>
          <Button
            type="submit"
            icon={FlaskConical}
            busy={trial.isRunning}
            {...(missing !== undefined && { disabledBecause: missing })}
          >
            Test
          </Button>
        </div>
        {trial.isRunning && <TestRunning />}
        {trial.report && <TestReport report={trial.report} />}
        {trial.error !== undefined && <Refusal error={trial.error} />}
      </form>
    </Card>
  )
}

function Refusal({ error }: { error: unknown }) {
  const faults = error instanceof ApiError ? Object.entries(error.errors) : []
  return (
    <Callout tone="danger" alert>
      {faults.length === 0 ? (
        reasonOf(error)
      ) : (
        <ul>
          {faults.map(([path, texts]) => (
            <li key={path}>
              {pathInWords(path)}: {texts.join(', ')}
            </li>
          ))}
        </ul>
      )}
    </Callout>
  )
}

function missingFor({ dialects, auth_scheme }: CustomFields, apiKey: string): string | undefined {
  if (dialects[0]?.base_url.trim() === '') return 'Needs a base URL'
  return auth_scheme !== 'none' && apiKey === '' ? 'Needs a key' : undefined
}
