import { classNames } from './class-names.ts'

/** The mark: one track leaves another. */
export function Logo({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('grid shrink-0 place-items-center rounded-[28%] bg-accent text-on-accent', className)}
    >
      <svg viewBox="0 0 24 24" className="size-[78%]" fill="none" stroke="currentColor" strokeLinecap="round">
        <path d="M3 17h18" strokeWidth="2.6" />
        <path d="M5.5 17c6 0 5-9 10.5-9h1" strokeWidth="2.6" />
        <circle cx="18.2" cy="8" r="2.8" fill="currentColor" stroke="none" />
      </svg>
    </span>
  )
}
