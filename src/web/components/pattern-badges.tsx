import { Ban, Check } from 'lucide-react'
import { Badge } from './badge.tsx'

export interface PatternBadgesProps {
  /** Null allows all, as `*` does. */
  readonly allow: readonly string[] | null
  readonly deny: readonly string[] | null
}

/** Which models may be used and which not, as patterns. */
export function PatternBadges({ allow, deny }: PatternBadgesProps) {
  const isAll = allow === null || allow.includes('*')
  return (
    <ul aria-label="Model patterns" className="mb-3 flex flex-wrap gap-1.5">
      {isAll && (
        <li>
          <Badge tone="clear" icon={Check}>
            all models
          </Badge>
        </li>
      )}
      {allow?.length === 0 && (
        <li>
          <Badge tone="danger" icon={Ban}>
            no model
          </Badge>
        </li>
      )}
      {!isAll &&
        allow.map((pattern) => (
          <li key={pattern}>
            <Badge mono tone="clear" icon={Check}>
              {pattern}
            </Badge>
          </li>
        ))}
      {deny?.map((pattern) => (
        <li key={pattern}>
          <Badge mono tone="danger" icon={Ban}>
            <span className="sr-only">not </span>
            {pattern}
          </Badge>
        </li>
      ))}
    </ul>
  )
}
