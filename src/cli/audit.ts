import { type Command, EXIT, JSON_FLAG } from './command.ts'
import { withApp } from './with-app.ts'

export const verifyAudit: Command = {
  name: 'audit verify',
  summary: 'check that no entry of the audit log was changed, removed or swapped',
  settings: ['data-dir'],
  flags: { json: JSON_FLAG },
  run: (call) =>
    withApp(call, async ({ audit }) => {
      const [entries, firstBroken] = [await audit.count(), await audit.firstBroken()]
      const verdict =
        firstBroken === null
          ? `the chain of ${entries} entries holds`
          : `the chain is broken: entry ${firstBroken} was changed, or one before it is missing`
      const json = { ok: firstBroken === null, entries, first_broken: firstBroken }
      call.terminal.print(call.flags['json'] === true ? JSON.stringify(json) : verdict)
      return firstBroken === null ? EXIT.ok : EXIT.failure
    }),
}
