import { CircleX } from 'lucide-react'
import { createContext, type ReactNode, useContext, useEffect, useId } from 'react'
import { FormContext } from './form-state.ts'

/** What a control takes from the field around it. */
export interface FieldControl {
  readonly id: string
  readonly name: string | undefined
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
}

const FieldContext = createContext<FieldControl | undefined>(undefined)

/** The attributes that tie a control to its label, hint and error. Outside a `Field` there are none. */
export function useFieldProps() {
  const field = useContext(FieldContext)
  if (field === undefined) return {}
  return {
    id: field.id,
    name: field.name,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.isInvalid || undefined,
  }
}

export interface FieldProps {
  readonly label: string
  /** The API's name of it, dotted when nested: where a 422 puts its messages. */
  readonly name?: string
  /** One sentence below the control. */
  readonly hint?: ReactNode
  /** Beside the label, such as "optional". */
  readonly aside?: ReactNode
  /** When the form is not a `Form`: what is wrong. */
  readonly error?: string | undefined
  /** A control that is a group of its own (`TagsInput`, radios): the label names the group. */
  readonly group?: boolean
  readonly children: ReactNode
}

/** A label, one control, a hint and what the server says is wrong with it. */
export function Field({ label, name, hint, aside, error, group = false, children }: FieldProps) {
  const id = useId()
  const form = useContext(FormContext)
  useEffect(() => (name === undefined ? undefined : form?.register({ name, label, id })), [form, name, label, id])
  const message = error ?? (name === undefined ? undefined : form?.errorOf(name))
  const described = [hint && `${id}-hint`, message && `${id}-error`].filter(Boolean).join(' ')
  const control = { id, name, describedBy: described || undefined, isInvalid: message !== undefined }
  const Label = group ? 'span' : 'label'
  return (
    <div className="grid gap-1.5" {...(group && { role: 'group', 'aria-labelledby': `${id}-label` })}>
      <span className="flex items-baseline gap-2">
        <Label
          id={`${id}-label`}
          title={name}
          className="text-caption font-medium text-muted"
          {...(!group && { htmlFor: id })}
        >
          {label}
        </Label>
        {aside && <span className="text-caption text-faint">{aside}</span>}
      </span>
      <FieldContext value={control}>{children}</FieldContext>
      {message && <FieldError id={`${id}-error`}>{message}</FieldError>}
      {hint && (
        <p id={`${id}-hint`} className="text-caption text-faint">
          {hint}
        </p>
      )}
    </div>
  )
}

function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-1.5 text-caption text-danger">
      <CircleX aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
      {children}
    </p>
  )
}
