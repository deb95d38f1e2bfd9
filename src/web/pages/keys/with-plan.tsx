import type { ReactNode } from 'react'
import { Loaded } from '../../components/loaded.tsx'
import { plans } from '../../plans.ts'
import type { Plan } from '../../wire.ts'

export interface WithPlanProps {
  /** Null: on none. */
  readonly id: string | null
  readonly children: (plan: Plan | undefined) => ReactNode
}

/** What depends on the plan of a key, once it is known. */
export function WithPlan({ id, children }: WithPlanProps) {
  const query = plans.useOne(id ?? '', { enabled: id !== null })
  if (id === null) return children(undefined)
  return (
    <Loaded query={query} what="The plan could not be read">
      {children}
    </Loaded>
  )
}
