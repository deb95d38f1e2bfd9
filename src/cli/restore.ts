import { join, resolve } from 'node:path'
import { type Restored, restore as restoreFrom } from '../db/restore.ts'
import { actedBy } from '../resources/auth/acted-by.ts'
import { LOCAL } from '../resources/auth/actor.ts'
import { type Call, type Command, EXIT, type ExitCode, JSON_FLAG } from './command.ts'
import { refuseStart } from './start-failure.ts'
import { withApp } from './with-app.ts'
import { systemClock } from '../system.ts'

export const restore: Command = {
  name: 'restore',
  operand: '<file>',
  summary: 'put a backup in the place of the present data, which is kept in backups/; every session ends',
  settings: ['data-dir'],
  flags: { json: JSON_FLAG },
  async run(call) {
    const { config, terminal } = call
    const { dataDir, build } = config
    const restored = restoreFrom({
      archive: resolve(call.operand),
      masterKey: { dataDir, ...config.masterKey },
      migrationsDir: join(build.assetsDir, 'drizzle'),
      nowMs: systemClock.nowMs(),
    })
    if (!restored.ok) return refuseStart(terminal, restored.error, config)
    terminal.print(call.flags['json'] === true ? JSON.stringify(shown(restored.value)) : sentence(restored.value))
    if (restored.value.keyWarning === null) return settle(call, restored.value)
    terminal.tell(`signalbox: ${restored.value.keyWarning}`)
    terminal.tell('signalbox: until then nothing starts, and the restoring is not in the audit log')
    return EXIT.failure
  },
}

/** Sessions and refresh tokens that had ended since the backup must not come back with it. */
function settle(call: Call, { installationId, atMs }: Restored): Promise<ExitCode> {
  return withApp(call, async ({ audit, auth }) => {
    await auth.endAllSessions()
    const recorded = await audit.record({
      ...actedBy(LOCAL),
      action: 'installation.restore',
      object: { type: 'installation', id: installationId, name: null },
      after: { backup_at: new Date(atMs).toISOString() },
      outcome: 'ok',
    })
    return recorded.ok ? EXIT.ok : EXIT.failure
  })
}

function shown({ installationId, atMs, replaced, keyWarning }: Restored) {
  const at = new Date(atMs).toISOString()
  return { installation_id: installationId, backup_at: at, replaced, warning: keyWarning }
}

function sentence({ atMs, replaced }: Restored): string {
  const kept = replaced === null ? '' : `; what was there is in ${replaced}`
  return `restored as of ${new Date(atMs).toISOString()}${kept}`
}
