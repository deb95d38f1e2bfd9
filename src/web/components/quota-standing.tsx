import { BatteryLow, CirclePause, Clock, type LucideIcon, RotateCcw, ShieldHalf, TriangleAlert } from 'lucide-react'
import type { Standing } from '../quota-words.ts'
import type { Quota } from '../wire.ts'
import { classNames } from './class-names.ts'
import { RelativeTime } from './time.tsx'

type Noted = Exclude<Standing, 'fine'>

interface Look {
  readonly icon: LucideIcon
  readonly word: string
  readonly className: string
}

const LOOKS: Readonly<Record<Noted, Look>> = {
  exhausted: { icon: BatteryLow, word: 'Used up', className: 'text-danger' },
  reserved: { icon: ShieldHalf, word: 'The rest is kept back', className: 'text-caution' },
  near: { icon: TriangleAlert, word: 'Nearly used up', className: 'text-caution' },
  paused: { icon: CirclePause, word: 'Ignored by routing', className: 'text-muted' },
  renewed: { icon: RotateCcw, word: 'Whole again since its reset', className: 'text-muted' },
  stale: { icon: Clock, word: 'Said', className: 'text-muted' },
}

/** Shape and word; what was said long ago is dated. */
export function QuotaStanding({ quota, standing }: { quota: Quota; standing: Noted }) {
  const { icon: Icon, word, className } = LOOKS[standing]
  return (
    <span className={classNames('inline-flex items-center gap-1.5 text-caption', className)}>
      <Icon aria-hidden="true" size={14} strokeWidth={1.75} className="shrink-0" />
      <span>
        {word}
        {standing === 'stale' && (
          <>
            {' '}
            <RelativeTime at={quota.fetched_at} />
          </>
        )}
      </span>
    </span>
  )
}
