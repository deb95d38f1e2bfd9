import { Checkbox } from '../../components/checkbox.tsx'
import { Field } from '../../components/field.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { accounts } from '../../gateway-models.ts'

/** As many accounts as a form offers. */
const ACCOUNTS_LIMIT = 100

export interface AccountFieldProps {
  readonly chosen: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}

/** The accounts that may serve a key. Those that are chosen and not offered stay chosen. */
export function AccountField({ chosen, onChange }: AccountFieldProps) {
  const query = accounts.useList({ limit: ACCOUNTS_LIMIT })
  const toggle = (id: string, on: boolean): void =>
    onChange(on ? [...chosen, id] : chosen.filter((other) => other !== id))
  return (
    <Field label="Served by" name="account_ids" group hint="None chosen: by all accounts.">
      <Loaded query={query} what="The accounts could not be read">
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-dense text-muted">No accounts yet.</p>
          ) : (
            <div className="grid gap-2 sm:grid-cols-2">
              {data.map(({ id, name, provider }) => (
                <Checkbox
                  key={id}
                  label={`${provider}, ${name}`}
                  checked={chosen.includes(id)}
                  onChange={(on) => toggle(id, on)}
                />
              ))}
            </div>
          )
        }
      </Loaded>
    </Field>
  )
}
