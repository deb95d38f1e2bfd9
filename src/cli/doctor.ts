import type { Check } from './check.ts'
import { type Command, EXIT, JSON_FLAG } from './command.ts'
import { checkData } from './data-checks.ts'
import { checkHost } from './host-checks.ts'
import { systemClock } from '../system.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'check the data folder, the machine and the settings; changes nothing',
  settings: ['data-dir', 'host', 'port'],
  flags: { json: JSON_FLAG },
  async run({ config, flags, terminal }) {
    const checks = [...checkData(config.dataDir), ...checkHost(config, systemClock.nowMs())]
    const failures = checks.filter(({ verdict }) => verdict === 'fail').length
    terminal.print(flags['json'] === true ? JSON.stringify({ ok: failures === 0, checks }) : table(checks))
    return failures === 0 ? EXIT.ok : EXIT.failure
  },
}

function table(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks.map(({ name, verdict, detail }) => `${verdict.padEnd(4)}  ${name.padEnd(width)}  ${detail}`).join('\n')
}
