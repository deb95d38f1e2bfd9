import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CloudOff } from 'lucide-react'
import { SECOND_MS } from '../../core/duration.ts'
import { useApp } from '../app-context.ts'
import { uptimeText } from '../format/time.ts'
import { useStore } from '../store.ts'

interface Health {
  readonly version: string
  readonly uptime_s: number
}

const EVERY_MS = 60_000

/** At the foot of the sidebar: which build answers, and since when. */
export function ServerState() {
  const { connection } = useApp()
  const isOut = useStore(connection.outage) !== undefined
  const { data } = useQuery({ queryKey: ['/health'], queryFn: askHealth, refetchInterval: EVERY_MS })
  const Icon = isOut ? CloudOff : CircleCheck
  const text = isOut ? 'no answer' : data && `${data.version} · up ${uptimeText(data.uptime_s * SECOND_MS)}`
  return (
    <p
      title={text}
      className="flex h-9 shrink-0 items-center gap-2 border-t border-line px-4 text-caption text-muted max-xl:justify-center max-xl:px-0"
    >
      <Icon aria-hidden="true" size={15} strokeWidth={1.75} className={isOut ? 'text-caution' : 'text-clear'} />
      <span className="max-xl:sr-only">{text}</span>
    </p>
  )
}

async function askHealth(): Promise<Health> {
  const response = await fetch('/health', { cache: 'no-store' })
  return (await response.json()) as Health // the contract's shape
}
