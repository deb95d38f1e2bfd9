import { type FormEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { useApp } from '../app-context.ts'
import { Button } from './button.tsx'
import { Callout } from './callout.tsx'
import { classNames } from './class-names.ts'
import { reasonOf } from './error-state.tsx'
import { belongsTo, FormContext, type FormRegistry, messageFor, pathInWords } from './form-state.ts'
import { LeaveGuard } from './leave-guard.tsx'
import type { FormState } from './use-form.ts'

export interface FormProps<T extends object> {
  readonly form: FormState<T>
  readonly children: ReactNode
  /** `Create key`; `Save` otherwise. */
  readonly saveLabel?: string
  /** For something new: the bar is always there, and an untouched form can be sent. */
  readonly isNew?: boolean
  /** Shows what is stored now, after somebody else's change; what was typed is gone by then. */
  readonly onReload?: () => void
  /** Closes a form for something new. */
  readonly onCancel?: () => void
  readonly onSaved?: () => void
  /** In the bar, which is there all the time then: how what is typed stands. */
  readonly status?: ReactNode
  /** In the bar, before it is saved: what saving changes. */
  readonly difference?: ReactNode
  /** Inside a dialog there is nowhere to go. */
  readonly unguarded?: boolean
  readonly className?: string
}

const SUMMARY_ID = 'form-errors'

/** One column of fields, what is wrong with them above, a bar to save them below once something has changed. */
export function Form<T extends object>(props: FormProps<T>) {
  const { form, children, saveLabel = 'Save', isNew = false, onReload, onCancel, onSaved, unguarded = false } = props
  const { announcer } = useApp()
  const registry = useRegistry(form)
  async function save(overwrite: boolean): Promise<void> {
    if (!(await form.submit(overwrite))) return
    announcer.say('Saved')
    onSaved?.()
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    event.stopPropagation()
    if (!form.isSaving) void save(false)
  }
  return (
    <FormContext value={registry}>
      <form onSubmit={onSubmit} noValidate className={classNames('grid gap-5', props.className)}>
        <ErrorSummary form={form} onReload={onReload} onOverwrite={() => void save(true)} />
        {children}
        {(isNew || form.isDirty || form.error !== undefined || props.status !== undefined) && (
          <SaveBar
            status={props.status}
            hasActs={isNew || form.isDirty || form.error !== undefined}
            label={saveLabel}
            isSaving={form.isSaving}
            isUnsaved={form.error !== undefined}
            difference={form.isDirty ? props.difference : undefined}
            onDiscard={isNew ? onCancel : form.discard}
            discardLabel={isNew ? 'Cancel' : 'Discard'}
          />
        )}
      </form>
      {!unguarded && (
        <LeaveGuard active={form.isDirty && !form.isSaving}>What you have changed here is not saved yet.</LeaveGuard>
      )}
    </FormContext>
  )
}

/** Tells fields their errors; collects their names, so that the summary can link to them. */
function useRegistry<T extends object>({ fields, error }: FormState<T>): FormRegistry {
  return useMemo(
    () => ({
      register: (field) => {
        fields.set(field.name, field)
        return () => void fields.delete(field.name)
      },
      errorOf: (name) => error && messageFor(error.errors, name),
    }),
    [fields, error],
  )
}

interface ErrorSummaryProps<T extends object> {
  readonly form: FormState<T>
  readonly onReload: (() => void) | undefined
  readonly onOverwrite: () => void
}

function ErrorSummary<T extends object>({ form, onReload, onOverwrite }: ErrorSummaryProps<T>) {
  const summary = useRef<HTMLDivElement>(null)
  const { error } = form
  useEffect(() => {
    if (error !== undefined) summary.current?.focus()
  }, [error])
  if (error === undefined) return null
  return (
    <div ref={summary} id={SUMMARY_ID} tabIndex={-1} role="alert" className="rounded-control">
      {Object.keys(error.errors).length > 0 ? (
        <FieldFaults form={form} paths={Object.keys(error.errors)} />
      ) : error.status === 409 && onReload !== undefined ? (
        <Conflict
          onReload={() => {
            form.discard()
            onReload()
          }}
          onOverwrite={onOverwrite}
        />
      ) : (
        <Callout tone="danger">{reasonOf(error)} Nothing was saved.</Callout>
      )}
    </div>
  )
}

function Conflict({ onReload, onOverwrite }: { onReload: () => void; onOverwrite: () => void }) {
  return (
    <Callout
      tone="caution"
      action={
        <span className="flex gap-2">
          <Button small onClick={onReload}>
            Show theirs
          </Button>
          <Button small onClick={onOverwrite}>
            Save mine over it
          </Button>
        </span>
      }
    >
      Somebody has changed this while you were editing. Nothing was saved.
    </Callout>
  )
}

function FieldFaults<T extends object>({ form, paths }: { form: FormState<T>; paths: readonly string[] }) {
  const fields = [...form.fields.values()]
  const known = fields.filter(({ name }) => paths.some((path) => belongsTo(path, name)))
  const unknown = paths.filter((path) => !fields.some(({ name }) => belongsTo(path, name)))
  const count = known.length + unknown.length
  return (
    <Callout tone="danger">
      <p className="font-semibold">{count === 1 ? 'One field needs a change' : `${count} fields need a change`}</p>
      <ul className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5">
        {known.map(({ name, label, id }) => (
          <li key={name}>
            <a href={`#${id}`} onClick={(event) => focusField(event, id)} className="underline">
              {label}
            </a>
          </li>
        ))}
        {unknown.map((path) => (
          <li key={path}>
            {pathInWords(path)}: {form.error?.errors[path]?.join(' ')}
          </li>
        ))}
      </ul>
    </Callout>
  )
}

function focusField(event: { preventDefault(): void }, id: string): void {
  event.preventDefault()
  const control = document.getElementById(id) ?? document.getElementById(`${id}-label`)
  control?.scrollIntoView({ block: 'center' })
  control?.focus()
}

interface SaveBarProps {
  readonly status: ReactNode
  /** There is something to save or to discard. */
  readonly hasActs: boolean
  readonly label: string
  readonly isSaving: boolean
  readonly isUnsaved: boolean
  readonly difference: ReactNode
  readonly onDiscard: (() => void) | undefined
  readonly discardLabel: string
}

function SaveBar(props: SaveBarProps) {
  const { status, hasActs, label, isSaving, isUnsaved, difference, onDiscard, discardLabel } = props
  return (
    <div className="sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-surface py-3 max-md:bottom-14">
      <div
        className={classNames(
          'mr-auto min-w-0 flex-1 text-caption text-muted',
          Boolean(difference) && 'max-md:basis-full',
        )}
      >
        {isUnsaved && 'Nothing was saved'}
        {status}
        {difference && <div className="max-h-24 overflow-y-auto">{difference}</div>}
      </div>
      {hasActs && onDiscard && (
        <Button onClick={onDiscard} {...(isSaving && { disabledBecause: 'Saving', hideReason: true })}>
          {discardLabel}
        </Button>
      )}
      {hasActs && (
        <Button type="submit" tone="primary" busy={isSaving}>
          {label}
        </Button>
      )}
    </div>
  )
}

/** Fields that belong together, foldable when most people leave them alone. */
export function FormGroup({ title, folded, children }: { title: string; folded?: boolean; children: ReactNode }) {
  return (
    <details open={folded !== true} className="group border-t border-line pt-4">
      <summary className="text-dense font-semibold group-open:mb-4">{title}</summary>
      <div className="grid gap-5">{children}</div>
    </details>
  )
}
