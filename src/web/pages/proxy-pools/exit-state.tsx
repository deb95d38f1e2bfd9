import { CircleCheck, CircleDashed, CirclePause, type LucideIcon, OctagonX } from 'lucide-react'
import { classNames } from '../../components/class-names.ts'
import { plural } from '../../format/count.ts'
import type { ProxyPool } from '../../wire.ts'
import { exitCounts } from './words.ts'

interface Look {
  readonly icon: LucideIcon
  readonly word: string
  readonly className: string
}

const LOOKS = {
  up: { icon: CircleCheck, word: 'Works', className: 'text-clear' },
  down: { icon: OctagonX, word: 'Down', className: 'text-danger' },
  unknown: { icon: CircleDashed, word: 'Not known yet', className: 'text-muted' },
  off: { icon: CirclePause, word: 'Off', className: 'text-muted' },
} as const satisfies Record<string, Look>

/** How an exit stands: shape and word. `off`: the operator took it out. */
export function ExitState({ name, word }: { name: keyof typeof LOOKS; word?: string }) {
  const look = LOOKS[name]
  const Icon = look.icon
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className={classNames('shrink-0', look.className)} />
      {word ?? look.word}
    </span>
  )
}

/** How the exits of a pool stand together: the worst that calls would notice comes first. */
export function PoolState({ pool }: { pool: ProxyPool }) {
  const { up, down, unknown, used } = exitCounts(pool)
  if (!pool.enabled) return <ExitState name="off" />
  if (used === 0) return <ExitState name="off" word="No exit is on" />
  if (down === used) return <ExitState name="down" word={used === 1 ? 'Its exit is down' : `All ${used} are down`} />
  if (down > 0) return <ExitState name="down" word={`${down} of ${plural(used, 'exit')} down`} />
  if (unknown === used) return <ExitState name="unknown" />
  return <ExitState name="up" word={`${up} of ${plural(used, 'exit')} ${up === 1 ? 'works' : 'work'}`} />
}
