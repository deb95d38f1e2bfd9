import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApp } from '../app-context.ts'
import { Button } from '../components/button.tsx'
import type { Outage } from '../connection.ts'
import { clockText } from '../format/time.ts'
import { useStore } from '../store.ts'

const TICK_MS = 1_000

/** While the server does not answer: since when, and when it is asked again. */
export function ConnectionBar() {
  const { connection, announcer } = useApp()
  const outage = useStore(connection.outage)
  const isOut = outage !== undefined
  useEffect(() => {
    if (isOut) announcer.interrupt('The gateway does not answer. What you see may be old.')
    else if (announcer.assertive.get() !== '') announcer.interrupt('The gateway answers again.')
  }, [isOut, announcer])
  return outage === undefined ? null : <Bar outage={outage} onTry={connection.tryNow} />
}

function Bar({ outage, onTry }: { outage: Outage; onTry: () => void }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((outage.nextTryMs - nowMs) / 1_000))
  return (
    <aside
      aria-label="Connection"
      className="flex items-center gap-2.5 bg-caution-soft px-4 py-1.5 text-dense text-caution md:px-6"
    >
      <CloudOff aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
      <span className="flex-1">Offline. As of {clockText(new Date(outage.lastOkMs), new Date(nowMs))}.</span>
      <span className="text-caption">{seconds === 0 ? 'asking…' : `again in ${seconds} s`}</span>
      <Button small tone="quiet" onClick={onTry}>
        Now
      </Button>
    </aside>
  )
}
