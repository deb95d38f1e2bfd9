import { createApp } from '../app.ts'
import { type Config, SETTINGS, type SettingName } from '../config.ts'
import type { Log } from '../core/log.ts'
import { listen } from '../server.ts'
import { type Command, EXIT, type ExitCode, type Terminal } from './command.ts'
import { DUMPS_POSSIBLE, forbidDumps } from './core-dumps.ts'
import { descriptorLimit, fewDescriptors, streamsWithin } from './descriptor-limit.ts'
import { LastResort } from './last-resort.ts'
import { createLogWriter } from './log-writer.ts'
import { belowFloor, NO_JIT, runtimeFacts } from './runtime-floor.ts'
import { refuseStart } from './start-failure.ts'
import { systemClock } from '../system.ts'

export const serve: Command = {
  name: 'serve',
  summary: 'run the gateway',
  settings: Object.keys(SETTINGS) as SettingName[],
  flags: {},
  async run({ config, terminal }) {
    const tooOld = belowFloor(runtimeFacts())
    if (tooOld !== undefined) return refuse(terminal, tooOld)
    const log = createLogWriter({ ...config.log, ...terminal, clock: systemClock })
    const stop = new StopRequest()
    const lastResort = new LastResort({ log, clock: systemClock, onStorm: () => stop.request(EXIT.failure) })
    const stepAside = lastResort.install()
    try {
      return await serveUntil(stop, config, terminal, log)
    } finally {
      stepAside()
    }
  },
}

async function serveUntil(stop: StopRequest, config: Config, terminal: Terminal, log: Log): Promise<ExitCode> {
  const descriptors = descriptorLimit()
  const limits = descriptors === undefined ? {} : { liveRequestsMax: streamsWithin(descriptors) }
  const notices = [...noticesAbout(descriptors), ...(forbidDumps() ? [] : [DUMPS_POSSIBLE])]
  const app = await createApp(config, { log, notices, ...limits })
  if (!app.ok) return refuseStart(terminal, app.error, config)
  const server = listen(app.value, config)
  if (!server.ok) {
    await app.value.close()
    return refuse(terminal, server.error.message)
  }
  announce(terminal, config, readyNotice(config, server.value.url))
  const token = await app.value.setupToken()
  if (token !== undefined) announce(terminal, config, setUpNotice(`${server.value.url}/setup#token=${token}`))
  for (const notice of notices) app.value.log.write('warn', 'http', notice)
  const code = await stop.requested()
  app.value.log.write('info', 'http', 'draining')
  await server.value.stop(app.value.shutdownGraceMs())
  await app.value.close()
  return code
}

function refuse(terminal: Terminal, message: string): ExitCode {
  terminal.tell(`signalbox: ${message}`)
  return EXIT.failure
}

interface Notice {
  readonly message: string
  readonly sentence: string
  readonly url: string
}

function readyNotice({ build }: Config, url: string): Notice {
  return { message: 'listening', sentence: `Signalbox ${build.version} is listening on`, url }
}

/** The set-up link is the only secret that is ever printed: whoever reads the console may become the owner, for 30 minutes. */
function setUpNotice(url: string): Notice {
  return { message: 'set-up', sentence: 'There is no owner yet. Within 30 minutes, open', url }
}

/** What whoever started us waits for, so it is written whatever the log level is. */
function announce(terminal: Terminal, { log, build }: Config, { message, sentence, url }: Notice): void {
  const time = new Date(systemClock.nowMs()).toISOString()
  const event = { time, level: 'info', source: 'http', msg: message, url, version: build.version, pid: process.pid }
  terminal.print(log.format === 'json' ? JSON.stringify(event) : `${sentence} ${url}`)
}

/** What is worse than it should be for as long as this process lives. */
function noticesAbout(descriptors: number | undefined): readonly string[] {
  const few = fewDescriptors(descriptors)
  return [...(runtimeFacts().jit ? [] : [NO_JIT]), ...(few === undefined ? [] : [few])]
}

/** The first signal asks for a drain, a second one ends the process where it stands. */
class StopRequest {
  readonly #asked = Promise.withResolvers<ExitCode>()

  request(code: ExitCode): void {
    this.#asked.resolve(code)
  }

  requested(): Promise<ExitCode> {
    let signals = 0
    const onSignal = (): void => {
      if (++signals > 1) process.exit(EXIT.failure)
      this.request(EXIT.ok)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
    return this.#asked.promise
  }
}
