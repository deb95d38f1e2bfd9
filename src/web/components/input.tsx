import { Eye, EyeOff, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import { useFieldProps } from './field.tsx'

export const CONTROL = classNames(
  'w-full min-w-0 rounded-control border border-control bg-surface text-body text-ink',
  'transition-colors duration-[120ms] focus-visible:outline-offset-0',
  'aria-invalid:border-danger aria-invalid:outline aria-invalid:outline-1 aria-invalid:outline-danger',
  'disabled:border-line disabled:bg-sunken disabled:text-muted',
)

export interface InputProps extends ComponentProps<'input'> {
  /** For ids, addresses, patterns and secrets. */
  readonly mono?: boolean
  readonly icon?: LucideIcon
  /** Inside the control, at its end. */
  readonly end?: ReactNode
}

export function Input({ mono = false, icon: Icon, end, className, ...rest }: InputProps) {
  const field = useFieldProps()
  const input = (
    <input
      type="text"
      autoComplete="off"
      {...field}
      {...rest}
      className={classNames(
        CONTROL,
        'h-9 px-2.5 read-only:bg-sunken coarse:h-11',
        mono && 'font-mono text-dense',
        Icon && 'pl-8',
        end !== undefined && 'pr-10',
        className,
      )}
    />
  )
  if (Icon === undefined && end === undefined) return input
  return (
    <span className="relative block min-w-0">
      {Icon && (
        <Icon
          aria-hidden="true"
          size={16}
          strokeWidth={1.75}
          className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
        />
      )}
      {input}
      {end !== undefined && <span className="absolute top-1/2 right-1 -translate-y-1/2">{end}</span>}
    </span>
  )
}

/** Can be shown while it is typed: long passwords are typed wrongly when nobody sees them. */
export function PasswordInput(props: Omit<InputProps, 'type' | 'end' | 'mono'>) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Input
      {...props}
      mono={isShown}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          aria-label="Show password"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="grid size-8 place-items-center rounded-control text-muted hover:text-ink"
        >
          <Icon aria-hidden="true" size={16} strokeWidth={1.75} />
        </button>
      }
    />
  )
}

export interface TextareaProps extends ComponentProps<'textarea'> {
  readonly mono?: boolean
}

export function Textarea({ mono = false, className, ...rest }: TextareaProps) {
  const field = useFieldProps()
  return (
    <textarea
      rows={4}
      {...field}
      {...rest}
      className={classNames(
        CONTROL,
        'resize-y px-2.5 py-2 read-only:bg-sunken',
        mono && 'font-mono text-dense',
        className,
      )}
    />
  )
}
