import { resolve } from 'node:path'
import { type Backup, backUp } from '../db/backup.ts'
import { masterKeyPath } from '../db/master-key.ts'
import { type Command, EXIT, JSON_FLAG, textFlag } from './command.ts'
import { systemClock } from '../system.ts'

/** Works beside a running gateway: it only reads. */
export const backup: Command = {
  name: 'backup',
  summary: 'write the whole installation into one file, also while the gateway runs',
  settings: ['data-dir'],
  flags: {
    to: {
      value: '<file>',
      help: 'where to; without it into backups/ of the data folder, which keeps one of each of 7 days',
    },
    'include-master-key': { help: 'put the master key in: whoever has the file can then read every credential' },
    json: JSON_FLAG,
  },
  async run({ config, flags, terminal }) {
    const { dataDir, masterKey } = config
    const to = textFlag(flags, 'to')
    const made = backUp({
      dataDir,
      to: to === undefined ? null : resolve(to),
      masterKeyPath: flags['include-master-key'] === true ? masterKeyPath({ dataDir, ...masterKey }) : null,
      nowMs: systemClock.nowMs(),
    })
    if (!made.ok) {
      terminal.tell(`signalbox: ${made.error.message}`)
      return EXIT.failure
    }
    terminal.print(flags['json'] === true ? JSON.stringify(shown(made.value)) : sentence(made.value))
    terminal.tell(keyAdvice(made.value, masterKeyPath({ dataDir, ...masterKey })))
    return EXIT.ok
  },
}

function shown({ path, bytes, atMs, installationId, includesMasterKey, masterKeyId, removed }: Backup) {
  return {
    path,
    bytes,
    at: new Date(atMs).toISOString(),
    installation_id: installationId,
    includes_master_key: includesMasterKey,
    master_key_id: masterKeyId,
    removed,
  }
}

function sentence({ path, bytes, removed }: Backup): string {
  const older = removed.length === 0 ? '' : `; ${removed.length} older removed`
  return `${path} (${(bytes / 1_000_000).toFixed(1)} MB${older})`
}

function keyAdvice({ includesMasterKey, masterKeyId }: Backup, path: string): string {
  if (includesMasterKey)
    return 'signalbox: the file holds the master key: keep it as safe as the credentials themselves'
  const key = masterKeyId === null ? 'the master key' : `master key ${masterKeyId}`
  return `signalbox: provider credentials in it can only be read with ${key}: keep a copy of ${path} somewhere else`
}
