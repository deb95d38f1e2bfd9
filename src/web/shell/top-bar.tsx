import { Search, SunMoon } from 'lucide-react'
import { createContext, type RefCallback, useContext } from 'react'
import { IconButton } from '../components/icon-button.tsx'
import { Kbd } from '../components/kbd.tsx'
import { toggleTheme } from './theme.ts'
import { UserMenu } from './user-menu.tsx'

/** Where a page puts its title and its way back; null until the bar is there. */
export const TitleSlot = createContext<HTMLElement | null>(null)

export function useTitleSlot(): HTMLElement | null {
  return useContext(TitleSlot)
}

export interface TopBarProps {
  readonly slot: RefCallback<HTMLElement>
  readonly onSearch: () => void
}

export function TopBar({ slot, onSearch }: TopBarProps) {
  return (
    <header className="sticky top-0 z-20 flex h-13 items-center gap-3 border-b border-line bg-canvas px-4 md:px-6">
      <div ref={slot} className="flex min-w-0 flex-1 items-center gap-2.5" />
      <button
        type="button"
        onClick={onSearch}
        className="hidden h-8.5 w-58 items-center gap-2.5 rounded-control border border-line bg-surface px-2.5 text-dense text-muted hover:bg-hover md:flex"
      >
        <Search aria-hidden="true" size={15} strokeWidth={1.75} />
        <span className="flex-1 text-left">Search or run</span>
        <Kbd keys={isMac() ? '⌘K' : 'Ctrl+K'} />
      </button>
      <div className="md:hidden">
        <IconButton icon={Search} label="Search or run" onClick={onSearch} />
      </div>
      <div className="hidden items-center gap-2 md:flex">
        <IconButton icon={SunMoon} label="Switch between light and dark" onClick={toggleTheme} />
        <UserMenu />
      </div>
    </header>
  )
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
