import { type ReactNode, useContext, useMemo } from 'react'
import { ApiError } from '../../api-error.ts'
import { FormContext, messageFor } from '../../components/form-state.ts'
import type { FieldErrors } from '../../wire.ts'

const INSIDE = 'chain.'

/** What the server says of the chain when it is tried, by the paths of the form. */
export function faultsOf(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {}
  const entries = Object.entries(error.errors).filter(([path]) => !path.startsWith('request'))
  return Object.fromEntries(
    entries.map(([path, texts]) => [path.startsWith(INSIDE) ? path.slice(INSIDE.length) : path, texts]),
  )
}

/** Puts what the simulation found wrong beside the fields inside, before anything is saved. */
export function LiveErrors({ errors, children }: { errors: FieldErrors; children: ReactNode }) {
  const form = useContext(FormContext)
  const registry = useMemo(
    () =>
      form && {
        register: form.register,
        errorOf: (name: string) => form.errorOf(name) ?? messageFor(errors, name),
      },
    [form, errors],
  )
  return <FormContext value={registry}>{children}</FormContext>
}
