import {
  BatteryLow,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  Clock,
  KeySquare,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  ShieldX,
  Split,
  Timer,
  Unplug,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { LoggedRequest } from '../wire.ts'
import { classNames } from './class-names.ts'

interface Look {
  readonly word: string
  readonly icon: LucideIcon
  readonly className: string
  readonly spins?: boolean
}

/** Shape, word, then colour: what became of a request, how an account or a key stands. */
const LOOKS = {
  answered: { word: 'Answered', icon: CircleCheck, className: 'text-clear' },
  rerouted: { word: 'Rerouted', icon: Split, className: 'text-caution' },
  'from-cache': { word: 'From cache', icon: Zap, className: 'text-accent' },
  streaming: { word: 'Streaming', icon: LoaderCircle, className: 'text-accent', spins: true },
  cut: { word: 'Cut off', icon: Unplug, className: 'text-danger' },
  failed: { word: 'Failed', icon: OctagonX, className: 'text-danger' },
  blocked: { word: 'Blocked', icon: ShieldX, className: 'text-caution' },
  cancelled: { word: 'Cancelled', icon: CircleSlash, className: 'text-muted' },
  active: { word: 'Active', icon: CircleCheck, className: 'text-clear' },
  cooldown: { word: 'Cooldown', icon: Timer, className: 'text-caution' },
  exhausted: { word: 'Exhausted', icon: BatteryLow, className: 'text-caution' },
  'auth-error': { word: 'Sign-in refused', icon: KeySquare, className: 'text-danger' },
  disabled: { word: 'Disabled', icon: CirclePause, className: 'text-muted' },
  untested: { word: 'Untested', icon: CircleDashed, className: 'text-muted' },
  'over-budget': { word: 'Over budget', icon: BatteryLow, className: 'text-danger' },
  expired: { word: 'Expired', icon: Clock, className: 'text-danger' },
} as const satisfies Record<string, Look>

export type StatusName = keyof typeof LOOKS

export interface StatusProps {
  readonly name: StatusName
  /** After the word: the time that is left. */
  readonly detail?: ReactNode
  /** Where the word stands in a neighbouring column or there is no room: it is still read out. */
  readonly iconOnly?: boolean
}

export function Status({ name, detail, iconOnly = false }: StatusProps) {
  const { word, icon: Icon, className, spins }: Look = LOOKS[name]
  return (
    <span
      className="inline-flex items-center gap-1.5 align-bottom whitespace-nowrap"
      title={iconOnly ? word : undefined}
    >
      <Icon
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className={classNames('shrink-0', className, spins && 'spin-slow')}
      />
      <span className={iconOnly ? 'sr-only' : undefined}>{word}</span>
      {detail && <span className="text-muted">{detail}</span>}
    </span>
  )
}

/** The outcome word of a logged request: how it ended, and whether another target had to answer. */
export function requestStatus({ status, attempts }: Pick<LoggedRequest, 'status' | 'attempts'>): StatusName {
  const byStatus: Readonly<Record<string, StatusName>> = {
    open: 'streaming',
    error: 'failed',
    cut: 'cut',
    interrupted: 'cut',
    cancelled: 'cancelled',
    blocked: 'blocked',
  }
  return byStatus[status] ?? (attempts.some((attempt) => attempt.class !== null) ? 'rerouted' : 'answered')
}

/** The words of the API for accounts and keys. */
export function accountStatus(status: string): StatusName {
  const name = status.replace('_', '-')
  return name in LOOKS ? (name as StatusName) : 'untested'
}
