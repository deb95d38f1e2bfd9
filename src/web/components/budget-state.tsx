import { CircleCheck, CirclePause, OctagonX, TriangleAlert } from 'lucide-react'
import { percentText } from '../format/count.ts'
import type { BudgetStatus } from '../wire.ts'
import { Badge } from './badge.tsx'

/** How a budget stands, in a word. */
export function BudgetState({ status }: { status: BudgetStatus | null }) {
  if (status === null) return <Badge icon={CirclePause}>switched off</Badge>
  const { state, last_crossed: crossed } = status
  if (state === 'over')
    return (
      <Badge tone="danger" icon={OctagonX}>
        used up
      </Badge>
    )
  if (state === 'warn')
    return (
      <Badge tone="caution" icon={TriangleAlert}>
        {crossed === null ? 'near its end' : `past ${percentText(crossed.threshold)}`}
      </Badge>
    )
  return (
    <Badge tone="clear" icon={CircleCheck}>
      within
    </Badge>
  )
}
