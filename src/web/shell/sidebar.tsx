import { Link, useLocation } from '@tanstack/react-router'
import { classNames } from '../components/class-names.ts'
import { Logo } from '../components/logo.tsx'
import { DESTINATIONS } from './destinations.ts'
import { type Destination, GROUPS, isWithin } from './navigation.ts'
import { ServerState } from './server-state.tsx'

/** The navigation of wide screens: with words from 1200 px, icons alone from 768 px. */
export function Sidebar() {
  return (
    <nav
      aria-label="Sections"
      className="sticky top-0 hidden h-dvh w-14 shrink-0 flex-col border-r border-line bg-sunken md:flex xl:w-54"
    >
      <Link to="/" className="flex h-13 shrink-0 items-center gap-2.5 px-4 text-body font-semibold">
        <Logo className="size-6" />
        <span className="max-xl:sr-only">Signalbox</span>
      </Link>
      <NavigationList className="min-h-0 flex-1 overflow-y-auto px-2 pb-4" />
      <ServerState />
    </nav>
  )
}

/** Every section of this build, in groups. */
export function NavigationList({ className, roomy = false }: { className?: string; roomy?: boolean }) {
  return (
    <div className={className}>
      {GROUPS.map((group) => (
        <Group
          key={group ?? ''}
          name={group}
          items={DESTINATIONS.filter((item) => item.group === group)}
          roomy={roomy}
        />
      ))}
    </div>
  )
}

interface GroupProps {
  readonly name: string | undefined
  readonly items: readonly Destination[]
  readonly roomy: boolean
}

function Group({ name, items, roomy }: GroupProps) {
  if (items.length === 0) return null
  return (
    <div className={name === undefined ? '' : 'mt-4'}>
      {name !== undefined && (
        <p className={classNames('px-2 pb-1 text-caption font-medium text-muted', !roomy && 'max-xl:sr-only')}>
          {name}
        </p>
      )}
      <ul aria-label={name}>
        {items.map((item) => (
          <li key={item.id}>
            <Entry item={item} roomy={roomy} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Entry({ item, roomy }: { item: Destination; roomy: boolean }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const isHere = isWithin(path, item)
  const Icon = item.icon
  return (
    <Link
      to={item.to}
      aria-current={isHere ? 'page' : undefined}
      title={item.label}
      className={classNames(
        'touch flex items-center gap-2.5 rounded-control border px-2 text-dense transition-colors duration-[120ms]',
        roomy ? 'h-11' : 'h-7.5 max-xl:justify-center max-xl:h-9',
        isHere
          ? 'border-line bg-surface font-medium text-ink'
          : 'border-transparent text-muted hover:bg-hover hover:text-ink',
      )}
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={isHere ? 'text-accent' : ''} />
      <span className={classNames('min-w-0 flex-1 truncate', !roomy && 'max-xl:sr-only')}>{item.label}</span>
    </Link>
  )
}
