import { type App, createApp } from '../app.ts'
import type { Refusal } from '../http/refusal.ts'
import { type Call, EXIT, type ExitCode, type Terminal } from './command.ts'
import { createLogWriter } from './log-writer.ts'
import { refuseStart } from './start-failure.ts'
import { systemClock } from '../system.ts'

/**
 * Runs `work` on the whole program without its server. It needs the data folder for itself: while a gateway runs on it, this
 * refuses with exit code 3. Only what goes wrong is logged, and never among the data.
 */
export async function withApp({ config, terminal }: Call, work: (app: App) => Promise<ExitCode>): Promise<ExitCode> {
  const log = createLogWriter({
    format: config.log.format,
    level: 'warn',
    colours: false,
    clock: systemClock,
    print: (line) => terminal.tell(line),
  })
  const app = await createApp(config, { log })
  if (!app.ok) return refuseStart(terminal, app.error, config)
  try {
    return await work(app.value)
  } finally {
    await app.value.close()
  }
}

/** Says what a service refused, field by field where it names fields. */
export function tellRefusal(terminal: Terminal, { message, errors }: Refusal): ExitCode {
  const fields = Object.entries(errors ?? {}).map(([field, reasons]) => `${field}: ${reasons.join(', ')}`)
  for (const line of fields.length > 0 ? fields : [message]) terminal.tell(`signalbox: ${line}`)
  return EXIT.failure
}
