import { Link, useLocation } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, CircleHelp } from 'lucide-react'
import { createContext, Fragment, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from '../components/class-names.ts'
import { Logo } from '../components/logo.tsx'
import { useTitleSlot } from './top-bar.tsx'

/** Somewhere above this page. */
export interface Crumb {
  readonly label: string
  readonly to: string
}

export interface PageProps {
  /** The page's name: in the bar, in the browser's tab, and its only `h1`. */
  readonly title: string
  /** The way back, outermost first. */
  readonly trail?: readonly Crumb[]
  /** Beside the heading: a status, an id, a time. With it or `actions` the heading stands in the page instead of the bar. */
  readonly lead?: ReactNode
  /** Buttons at the heading's end. */
  readonly actions?: ReactNode
  /** `form`: one readable column. `full`: no padding, for logs that use the whole width. */
  readonly width?: 'all' | 'form' | 'full'
  /** The page of the documentation about this: `keys` for /docs/keys. */
  readonly docs?: string
  readonly children: ReactNode
}

/** True once somebody has navigated: the first page leaves the focus where the browser puts it. */
export const NavigatedContext = createContext<RefObject<boolean>>({ current: false })

/** What every page is made of. Gives the heading focus when the reader arrives from another page. */
export function Page({ title, trail = [], lead, actions, width = 'all', docs, children }: PageProps) {
  const heading = useFocusOnArrival()
  useEffect(() => {
    document.title = `${title} · Signalbox`
  }, [title])
  const inPage = lead !== undefined || actions !== undefined || trail.length > 0
  return (
    <>
      <BarTitle title={title} trail={trail} heading={inPage ? undefined : heading} docs={docs} />
      <div
        className={classNames(
          width === 'full' ? '' : 'px-4 pt-4 pb-8 md:px-6 md:pt-5',
          width === 'form' && 'mx-auto w-full max-w-180',
        )}
      >
        {inPage && (
          <div
            className={classNames(
              'mb-4 flex flex-wrap items-center gap-x-3 gap-y-2',
              width === 'full' && 'px-4 pt-4 md:px-6',
            )}
          >
            <h1 ref={heading} tabIndex={-1} className="min-w-0 text-page font-semibold break-words">
              {title}
            </h1>
            {lead}
            {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
          </div>
        )}
        {children}
      </div>
    </>
  )
}

interface BarTitleProps {
  readonly title: string
  readonly trail: readonly Crumb[]
  /** Set when the bar's title is the page's heading. */
  readonly heading: RefObject<HTMLHeadingElement | null> | undefined
  readonly docs: string | undefined
}

function BarTitle({ title, trail, heading, docs }: BarTitleProps) {
  const slot = useTitleSlot()
  const parent = trail.at(-1)
  if (slot === null) return null
  return createPortal(
    <>
      {parent === undefined ? (
        <Logo className="size-7 md:hidden" />
      ) : (
        <Link
          to={parent.to}
          aria-label={`Back to ${parent.label}`}
          className="touch -ml-2 grid size-8 place-items-center md:hidden"
        >
          <ChevronLeft aria-hidden="true" size={20} strokeWidth={1.75} />
        </Link>
      )}
      {trail.length > 0 && <Trail trail={trail} />}
      {heading === undefined ? (
        <span aria-hidden="true" className="truncate text-dense font-semibold">
          {title}
        </span>
      ) : (
        <h1 ref={heading} tabIndex={-1} className="truncate text-dense font-semibold">
          {title}
        </h1>
      )}
      {docs !== undefined && <DocsLink page={docs} about={title} />}
    </>,
    slot,
  )
}

/** A page of its own, outside the dashboard. */
function DocsLink({ page, about }: { page: string; about: string }) {
  return (
    <a
      href={`/docs/${page}`}
      title="Documentation"
      aria-label={`Documentation: ${about}`}
      className="touch grid size-8 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
    >
      <CircleHelp aria-hidden="true" size={16} strokeWidth={1.75} />
    </a>
  )
}

function Trail({ trail }: { trail: readonly Crumb[] }) {
  return (
    <nav aria-label="Way back" className="hidden shrink-0 items-center gap-2.5 text-dense text-muted md:flex">
      {trail.map(({ label, to }) => (
        <Fragment key={to}>
          <Link to={to} className="hover:text-ink hover:underline">
            {label}
          </Link>
          <ChevronRight aria-hidden="true" size={14} strokeWidth={1.75} />
        </Fragment>
      ))}
    </nav>
  )
}

function useFocusOnArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const navigated = useContext(NavigatedContext)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const slot = useTitleSlot()
  useEffect(() => {
    if (navigated.current) heading.current?.focus({ preventScroll: true })
  }, [path, navigated, slot])
  return heading
}
