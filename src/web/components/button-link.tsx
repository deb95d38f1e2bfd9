import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass, type ButtonLook } from './button.tsx'
import { classNames } from './class-names.ts'

export interface ButtonLinkProps extends ButtonLook {
  /** An address of the dashboard, query string included. */
  readonly to: string
  readonly children: ReactNode
  readonly className?: string
}

/** Looks like a button, goes somewhere. */
export function ButtonLink({ to, tone, icon: Icon, small, children, className }: ButtonLinkProps) {
  return (
    <Link to={to} className={classNames(buttonClass({ tone, small }), className)}>
      {Icon && <Icon aria-hidden="true" size={16} strokeWidth={1.75} />}
      {children}
    </Link>
  )
}
