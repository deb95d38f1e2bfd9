import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { Tooltip } from './tooltip.tsx'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'disabled'> {
  readonly icon: LucideIcon
  /** Its name for screen readers, and what hovering shows. */
  readonly label: string
  readonly bordered?: boolean
  readonly disabled?: boolean
}

export function IconButton({
  icon: Icon,
  label,
  bordered = false,
  disabled = false,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={disabled || undefined}
        onClick={(event) => (disabled ? event.preventDefault() : onClick?.(event))}
        className={classNames(
          'touch inline-grid size-8 shrink-0 place-items-center rounded-control border text-muted',
          'transition-colors duration-[120ms] hover:bg-hover hover:text-ink aria-disabled:opacity-50',
          bordered ? 'border-line bg-surface' : 'border-transparent',
          rest.className,
        )}
      >
        <Icon aria-hidden="true" size={16} strokeWidth={1.75} />
      </button>
    </Tooltip>
  )
}
