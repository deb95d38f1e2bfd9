import { ChevronRight } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { useSearch } from '../../address.ts'
import { ApiError } from '../../api-error.ts'
import { useToasts } from '../../app-context.ts'
import { Badge } from '../../components/badge.tsx'
import { Form } from '../../components/form.tsx'
import { useForm } from '../../components/use-form.ts'
import type { Settings } from '../../wire.ts'
import { useChangeSettings } from './data.ts'
import { Difference } from './difference.tsx'
import { GROUPS, type SettingGroup } from './fields.ts'
import { SettingRow } from './setting-row.tsx'
import { draftOf, isStandard, type SettingValues, valuesOf } from './values.ts'

interface SettingsFormProps {
  readonly settings: Settings
  /** Reads what is stored now. */
  readonly onReload: () => void
}

export function SettingsForm({ settings, onReload }: SettingsFormProps) {
  const form = useSettingsForm(settings, onReload)
  const { value, changes, error } = form
  return (
    <Form
      form={form}
      saveLabel="Save settings"
      difference={<Difference before={valuesOf(settings)} changes={changes} />}
      onReload={onReload}
    >
      <div>
        {GROUPS.map((group) => (
          <Group
            key={group.id}
            group={group}
            value={value}
            edits={Object.keys(changes).filter((path) => path.startsWith(`${group.id}.`)).length}
            hasError={Object.keys(error?.errors ?? {}).some((path) => path.startsWith(`${group.id}.`))}
          >
            {group.fields.map((field) => (
              <SettingRow
                key={field.path}
                field={field}
                value={value[field.path] ?? ''}
                onChange={(next) => form.set(field.path, next)}
              />
            ))}
          </Group>
        ))}
      </div>
    </Form>
  )
}

/**
 * Saves over what the form was begun from. When somebody else was faster, what is stored is read again, so that the difference
 * in the bar is theirs to mine.
 */
function useSettingsForm(settings: Settings, onReload: () => void) {
  const change = useChangeSettings()
  const toasts = useToasts()
  const base = useRef(settings)
  const form = useForm<SettingValues>({
    initial: valuesOf(settings),
    save: async ({ changes, overwrite }) => {
      try {
        const waiting = await change(draftOf(changes), overwrite ? undefined : base.current.version)
        toasts.done(
          waiting.length === 0
            ? 'Settings saved. They count at once.'
            : `Settings saved. Restart for ${waiting.join(', ')}.`,
        )
      } catch (cause) {
        if (cause instanceof ApiError && cause.status === 409) onReload()
        throw cause
      }
    },
  })
  useEffect(() => {
    // The switch that stops all spending changes the version as well, but nothing in this form.
    if (!form.isDirty || isSame(valuesOf(base.current), valuesOf(settings))) base.current = settings
  }, [form.isDirty, settings])
  return form
}

function isSame(a: SettingValues, b: SettingValues): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

interface GroupProps {
  readonly group: SettingGroup
  readonly value: SettingValues
  /** How many of its fields are edited and not saved. */
  readonly edits: number
  /** A fault must not hide. */
  readonly hasError: boolean
  readonly children: ReactNode
}

/** Folded until it is opened; which ones are open is in the address. */
function Group({ group: { id, title, fields }, value, edits, hasError, children }: GroupProps) {
  const [search, setSearch] = useSearch()
  const open = (search['open'] ?? '').split(',').filter(Boolean)
  const isOpen = hasError || open.includes(id)
  const changed = fields.filter((field) => !isStandard(field, value[field.path] ?? '')).length
  function toggle(event: MouseEvent): void {
    event.preventDefault()
    const next = open.includes(id) ? open.filter((other) => other !== id) : [...open, id]
    setSearch({ open: next.join(',') })
  }
  return (
    <details open={isOpen} className="group border-b border-line last:border-b-0">
      <summary
        onClick={toggle}
        className="touch -mx-4 flex min-h-12 list-none flex-wrap items-center gap-2.5 px-4 hover:bg-hover"
      >
        <ChevronRight
          aria-hidden="true"
          size={16}
          strokeWidth={1.75}
          className="text-muted transition-transform duration-[120ms] group-open:rotate-90"
        />
        <h2 className="text-body font-semibold">{title}</h2>
        <span className="text-caption text-muted">{fields.length === 1 ? '1 field' : `${fields.length} fields`}</span>
        <span className="ml-auto flex gap-1.5">
          {edits > 0 && <Badge tone="caution">{edits} not saved</Badge>}
          {changed > 0 && <Badge tone="accent">{changed} changed</Badge>}
        </span>
      </summary>
      <div className="grid gap-6 pt-2 pb-6">{children}</div>
    </details>
  )
}
