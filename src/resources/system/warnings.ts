import { DAY_MS } from '../../core/duration.ts'
import { isLoopbackHost } from '../../http/loopback.ts'

/** What warnings are made of. */
export interface Circumstances {
  readonly nowMs: number
  /** Where the server listens. */
  readonly host: string
  readonly isTls: boolean
  readonly isPaused: boolean
  /** What `auth.anonymous_key_id` does at the moment; null when it is not set. */
  readonly anonymousKey: string | null
  /** Null when everything is in memory. */
  readonly dataDir: string | null
  readonly lastBackupMs: number | null
  /** Keys and accounts that would be lost with the disk. */
  readonly worthKeeping: number
  readonly diskFree: number | null
  readonly rowsLost: number
  /** What was found at the start and does not change. */
  readonly notices: readonly string[]
}

const BACKUP_AGE_DAYS_MAX = 7
const DISK_FREE_MIN = 1_000_000_000

/** What an operator should do something about, the gravest first. */
export function warningsOf(about: Circumstances): readonly string[] {
  return [
    about.isPaused ? ['every inference call is refused: routing.paused is on'] : [],
    about.rowsLost > 0 ? [`${about.rowsLost} rows of the ledger were lost; the log says why`] : [],
    about.anonymousKey ?? [],
    exposure(about),
    room(about),
    backups(about),
    about.notices,
  ].flat()
}

function exposure({ host, isTls }: Circumstances): readonly string[] {
  if (isTls || isLoopbackHost(host)) return []
  return [
    `listening on ${host} without TLS: keys and passwords can be read on the way unless something in front encrypts`,
  ]
}

function room({ diskFree }: Circumstances): readonly string[] {
  if (diskFree === null || diskFree >= DISK_FREE_MIN) return []
  return [`only ${Math.floor(diskFree / 1_000_000)} MB are left on the disk of the data folder`]
}

function backups({ dataDir, lastBackupMs, worthKeeping, nowMs }: Circumstances): readonly string[] {
  if (dataDir === null || worthKeeping === 0) return []
  if (lastBackupMs === null) {
    return ['there is no backup: signalbox backup makes one; the master key is not in it, so keep a copy of that, too']
  }
  const days = Math.floor((nowMs - lastBackupMs) / DAY_MS)
  return days > BACKUP_AGE_DAYS_MAX ? [`the last backup is ${days} days old`] : []
}
