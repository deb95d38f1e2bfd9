import { MoreHorizontal, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { Popover, PopoverClose } from './popover.tsx'

/** The acts of one object that are not important enough for a button: `<Menu label="More"><MenuItem …/></Menu>`. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popover label={label} align="end" trigger={<IconButton icon={MoreHorizontal} label={label} bordered />}>
      <div className="grid">{children}</div>
    </Popover>
  )
}

export interface MenuItemProps {
  readonly icon?: LucideIcon
  readonly onSelect: () => void
  readonly danger?: boolean
  readonly children: ReactNode
  /** At its end: a shortcut or a check. */
  readonly end?: ReactNode
}

/** One act. Choosing it closes the menu. */
export function MenuItem({ icon: Icon, onSelect, danger = false, children, end }: MenuItemProps) {
  return (
    <PopoverClose asChild>
      <button type="button" onClick={onSelect} className={menuItemClass(danger)}>
        {Icon && <Icon aria-hidden="true" size={16} strokeWidth={1.75} />}
        <span className="flex-1">{children}</span>
        {end}
      </button>
    </PopoverClose>
  )
}

export function menuItemClass(danger = false): string {
  return classNames(
    'touch flex h-8 w-full items-center gap-2.5 rounded-control px-2.5 text-left text-dense hover:bg-hover',
    'focus-visible:-outline-offset-2',
    danger ? 'text-danger' : 'text-ink',
  )
}
