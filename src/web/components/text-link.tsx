import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A link to an address of the dashboard, query string included. */
export function TextLink({ to, children, className }: { to: string; children: ReactNode; className?: string }) {
  return (
    <Link to={to} className={classNames('text-accent hover:underline', className)}>
      {children}
    </Link>
  )
}
