import { FIELDS } from './fields.ts'
import { type SettingValues, valueText } from './values.ts'

/** What saving changes: each field with what is stored and what it becomes. */
export function Difference({ before, changes }: { before: SettingValues; changes: Partial<SettingValues> }) {
  const changed = FIELDS.filter(({ path }) => changes[path] !== undefined)
  return (
    <ul aria-label="What saving changes" className="grid gap-0.5">
      {changed.map((field) => (
        <li key={field.path}>
          {field.label}: <del className="text-faint">{valueText(field, before[field.path] ?? '')}</del>{' '}
          <span aria-hidden="true">→</span>{' '}
          <ins className="font-medium text-ink no-underline">{valueText(field, changes[field.path] ?? '')}</ins>
        </li>
      ))}
    </ul>
  )
}
