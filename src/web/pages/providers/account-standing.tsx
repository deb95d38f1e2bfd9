import { WEEK_MS } from '../../../core/duration.ts'
import { accountStatus, Status } from '../../components/status.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import { Badge } from '../../components/badge.tsx'
import { plural } from '../../format/count.ts'
import { RelativeTime } from '../../components/time.tsx'
import type { Account } from '../../wire.ts'

/** How an account stands: shape, word, and how long that lasts when it ends by itself. */
export function AccountStanding({ account }: { account: Account }) {
  return <Status name={accountStatus(account.status)} detail={<Lasting account={account} />} />
}

function Lasting({ account: { status, cooldowns, cooldown_until } }: { account: Account }) {
  if (cooldown_until === null) return null
  if (status === 'exhausted') {
    return (
      <>
        tried again in <TimeLeft until={cooldown_until} />
      </>
    )
  }
  if (status !== 'cooldown') return null
  const reach =
    cooldowns.length === 0 ? '' : `for ${cooldowns.length === 1 ? 'one model' : plural(cooldowns.length, 'model')}, `
  return (
    <>
      {reach}
      <TimeLeft until={cooldown_until} />
    </>
  )
}

const WARNED_MS = WEEK_MS

/** Nothing until a week before the credential ends. */
export function ExpiryBadge({ account: { expires_at } }: { account: Account }) {
  if (expires_at === null || Date.parse(expires_at) - Date.now() > WARNED_MS) return null
  const isOver = Date.parse(expires_at) <= Date.now()
  return (
    <Badge tone={isOver ? 'danger' : 'caution'}>
      {isOver ? 'Expired ' : 'Expires '}
      <RelativeTime at={expires_at} />
    </Badge>
  )
}
