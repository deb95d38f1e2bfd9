import { Badge } from '../../components/badge.tsx'
import { RelativeTime } from '../../components/time.tsx'
import type { Alias } from '../../wire.ts'

/** When its name ends; nothing for a name that stays. */
export function RetirementBadge({ alias: { expires_at } }: { alias: Alias }) {
  if (expires_at === null) return null
  const isOver = Date.parse(expires_at) <= Date.now()
  return (
    <Badge tone={isOver ? 'danger' : 'caution'}>
      {isOver ? 'Retired ' : 'Retires '}
      <RelativeTime at={expires_at} />
    </Badge>
  )
}
