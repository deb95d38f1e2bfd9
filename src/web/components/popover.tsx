import * as Radix from '@radix-ui/react-popover'
import type { ReactElement, ReactNode } from 'react'

export interface PopoverProps {
  /** The button that opens it. */
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  /** Its name for screen readers. */
  readonly label: string
}

/** A small panel beside its button: filters, menus, details. Close it from inside with `<PopoverClose>`. */
export function Popover({ trigger, children, align = 'start', open, onOpenChange, label }: PopoverProps) {
  return (
    <Radix.Root {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          aria-label={label}
          sideOffset={6}
          collisionPadding={8}
          className="z-40 max-h-(--radix-popover-content-available-height) min-w-44 overflow-y-auto rounded-card border border-line bg-raised p-1.5 shadow-overlay"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const PopoverClose = Radix.Close
