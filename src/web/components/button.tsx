import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

export type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger' | 'soft'

export interface ButtonLook {
  /** One primary act on a page; quiet ones have no border. */
  readonly tone?: ButtonTone | undefined
  readonly icon?: LucideIcon | undefined
  readonly small?: boolean | undefined
}

export interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'disabled'> {
  /** It is being done: says so, and does not act again. */
  readonly busy?: boolean | undefined
  /** Why it cannot be done now. The button stays in the tab order and reads the reason out. */
  readonly disabledBecause?: ReactNode
  /** The reason stands elsewhere on the screen already. */
  readonly hideReason?: boolean
}

const TONES: Readonly<Record<ButtonTone, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent',
  plain: 'bg-surface text-ink border-line hover:bg-hover',
  quiet: 'text-muted border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-danger text-on-danger border-transparent hover:brightness-95',
  soft: 'bg-accent-soft text-accent-ink border-transparent hover:brightness-[0.97] dark:hover:brightness-110',
}

export function buttonClass({ tone = 'plain', small = false }: ButtonLook): string {
  return classNames(
    'touch inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-medium whitespace-nowrap select-none',
    'transition-colors duration-[120ms] aria-disabled:opacity-55',
    small ? 'h-7 px-2.5 text-dense' : 'h-8 px-3.5 text-dense',
    TONES[tone],
  )
}

export function Button(props: ButtonProps) {
  const { tone, icon: Icon, small, busy = false, disabledBecause, hideReason, children, onClick, ...rest } = props
  const reasonId = useId()
  const isBlocked = Boolean(disabledBecause)
  const isInert = busy || isBlocked
  const button = (
    <button
      type="button"
      {...rest}
      className={classNames(buttonClass({ tone, small }), rest.className)}
      aria-disabled={isInert || undefined}
      aria-busy={busy || undefined}
      aria-describedby={isBlocked ? reasonId : rest['aria-describedby']}
      onClick={(event) => (isInert ? event.preventDefault() : onClick?.(event))}
    >
      {busy ? <Spinner /> : Icon && <Icon aria-hidden="true" size={16} strokeWidth={1.75} />}
      {children}
    </button>
  )
  if (!isBlocked) return button
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {button}
      <span id={reasonId} className={hideReason === true ? 'sr-only' : 'text-caption text-muted'}>
        {disabledBecause}
      </span>
    </span>
  )
}
