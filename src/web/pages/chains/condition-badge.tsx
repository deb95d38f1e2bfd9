import { Filter } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { useNames } from '../../names.tsx'
import type { Group } from './condition-tree.ts'
import { conditionText } from './facts.ts'

/** When a step may be used, on one line. */
export function ConditionBadge({ when }: { when: Group }) {
  const named = [...useNames('/v1/keys'), ...useNames('/v1/plans')]
  const text = conditionText(when, (id) => named.find((one) => one.id === id)?.name)
  return (
    <Badge icon={Filter}>
      <span title={text} className="max-w-60 truncate">
        {text}
      </span>
    </Badge>
  )
}
