import { useId } from 'react'
import { Input, type InputProps } from './input.tsx'

/** The IANA name of a time zone, such as `Europe/Vienna`; those that the browser knows are offered. */
export function TimeZoneInput(props: InputProps) {
  const list = useId()
  return (
    <>
      <Input autoCapitalize="none" spellCheck={false} className="max-w-72" list={list} {...props} />
      <datalist id={list}>
        {zones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

/** The browser leaves out the one that is its own name for no zone at all. */
function zones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')]
}

/** The zone of the one who looks. */
export function ownTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
