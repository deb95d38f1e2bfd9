import { type ChangeEvent, useRef, useState } from 'react'
import { ApiError } from '../api-error.ts'
import type { KnownField } from './form-state.ts'

export interface Submission<T> {
  readonly value: T
  /** Only what differs from `initial`: the body of a PATCH. */
  readonly changes: Partial<T>
  /** The reader has seen that somebody else changed it, and saves all the same: send no version. */
  readonly overwrite: boolean
}

export interface FormOptions<T> {
  /** What is stored. When it changes, a form that nobody has touched follows it. */
  readonly initial: T
  /** Throws `ApiError`; its messages are put beside their fields. */
  readonly save: (submission: Submission<T>) => Promise<unknown>
}

export interface FormState<T extends object> {
  readonly value: T
  readonly changes: Partial<T>
  readonly isDirty: boolean
  readonly isSaving: boolean
  readonly error: ApiError | undefined
  /** Fields on screen, in order, by name. */
  readonly fields: Map<string, KnownField>
  set<Name extends keyof T>(name: Name, value: T[Name]): void
  /** The props of an input whose value is text. */
  text(name: TextNames<T>): { value: string; onChange: (event: ChangeEvent<TextControl>) => void }
  discard(): void
  /** True when it was saved. */
  submit(overwrite?: boolean): Promise<boolean>
}

type TextControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type TextNames<T> = { [Name in keyof T]: T[Name] extends string ? Name : never }[keyof T]

/** The state of one form: what is stored, what has been typed over it, and what the server said about that. */
export function useForm<T extends object>({ initial, save }: FormOptions<T>): FormState<T> {
  const [edits, setEdits] = useState<Partial<T>>({})
  const [error, setError] = useState<ApiError>()
  const [isSaving, setSaving] = useState(false)
  const fields = useRef(new Map<string, KnownField>())
  const value = { ...initial, ...edits }
  const changes = changesOf(initial, edits)

  async function submit(overwrite = false): Promise<boolean> {
    setSaving(true)
    try {
      await save({ value, changes, overwrite })
      setEdits({})
      setError(undefined)
      return true
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      setError(cause)
      return false
    } finally {
      setSaving(false)
    }
  }

  const set = <Name extends keyof T>(name: Name, next: T[Name]): void =>
    setEdits((current) => ({ ...current, [name]: next }))
  return {
    value,
    changes,
    isDirty: Object.keys(changes).length > 0,
    isSaving,
    error,
    fields: fields.current,
    set,
    text: (name) => ({
      value: String(value[name]),
      onChange: ({ target }) => set(name, target.value as T[typeof name]), // its type says that it is text
    }),
    discard: () => {
      setEdits({})
      setError(undefined)
    },
    submit,
  }
}

/** Values are JSON, so that their text tells whether they differ. */
function changesOf<T extends object>(initial: T, edits: Partial<T>): Partial<T> {
  const stored: Partial<T> = initial
  const changed = Object.entries(edits).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof T]),
  )
  return Object.fromEntries(changed) as Partial<T> // entries of the same object
}
