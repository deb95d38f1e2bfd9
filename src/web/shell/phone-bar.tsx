import { Link, useLocation } from '@tanstack/react-router'
import { type LucideIcon, Menu } from 'lucide-react'
import { useRef } from 'react'
import { classNames } from '../components/class-names.ts'
import { Dialog } from '../components/dialog.tsx'
import { DESTINATIONS } from './destinations.ts'
import { type Destination, isWithin } from './navigation.ts'
import { NavigationList } from './sidebar.tsx'
import { UserActs } from './user-menu.tsx'

/** In this order; a section that the build lacks leaves its place to the next. */
const FIRST = ['overview', 'home', 'requests', 'chains', 'providers', 'keys', 'skills']
const PLACES = 4

/** The navigation of phones: four sections and everything else. */
export function PhoneBar() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const dialog = useRef<HTMLDialogElement>(null)
  const items = firstOf(DESTINATIONS)
  const isElsewhere = !items.some((item) => isWithin(path, item))
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid auto-cols-fr grid-flow-col">
        {items.map((item) => (
          <li key={item.id}>
            <Link
              to={item.to}
              aria-current={isWithin(path, item) ? 'page' : undefined}
              className={place(isWithin(path, item))}
            >
              <Face icon={item.icon} label={item.label} />
            </Link>
          </li>
        ))}
        <li>
          <button type="button" className={place(isElsewhere)} onClick={() => dialog.current?.showModal()}>
            <Face icon={Menu} label="More" />
          </button>
        </li>
      </ul>
      <Dialog ref={dialog} title="Everything" sheet>
        <div onClick={(event) => isLink(event.target) && dialog.current?.close()}>
          <NavigationList roomy />
          <UserActs onAct={() => dialog.current?.close()} />
        </div>
      </Dialog>
    </nav>
  )
}

function Face({ icon: Icon, label }: { icon: LucideIcon; label: string }) {
  return (
    <>
      <Icon aria-hidden="true" size={20} strokeWidth={1.75} />
      <span className="max-w-full truncate">{label}</span>
    </>
  )
}

function place(isHere: boolean): string {
  return classNames(
    'flex h-14 w-full flex-col items-center justify-center gap-1 px-1 text-[0.6875rem] focus-visible:-outline-offset-2',
    isHere ? 'font-medium text-accent-ink' : 'text-muted',
  )
}

function firstOf(destinations: readonly Destination[]): readonly Destination[] {
  return FIRST.flatMap((id) => destinations.filter((item) => item.id === id)).slice(0, PLACES)
}

function isLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a') !== null
}
