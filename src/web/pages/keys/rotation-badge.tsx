import { RefreshCw } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import type { Key } from '../../wire.ts'

/** Its secret is older than it should be. */
export function RotationBadge({ stored }: { stored: Key }) {
  if (!stored.rotation_due) return null
  return (
    <Badge tone="caution" icon={RefreshCw}>
      due for rotation
    </Badge>
  )
}
