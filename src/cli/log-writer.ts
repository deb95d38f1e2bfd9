import type { LogFormat } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import { isShown, type Log, type LogLevel, type LogSource } from '../core/log.ts'
import { type Field, scrubbed, scrubbedFields } from '../core/scrub.ts'

/** A line's length, its end included. */
export const LOG_LINE_BYTES_MAX = 8_192

const COLOURS: Readonly<Record<LogLevel, string>> = { debug: '90', info: '32', warn: '33', error: '31' }

export interface LogWriterOptions {
  readonly format: LogFormat
  /** Less important events are left out. */
  readonly level: LogLevel
  readonly colours: boolean
  readonly clock: Clock
  /** Takes a whole line, without its end. */
  readonly print: (line: string) => void
}

/**
 * Writes each event as one line of at most `LOG_LINE_BYTES_MAX` bytes. Secrets are left out, control characters are escaped:
 * what a client or a provider wrote can neither start a line nor steer a terminal.
 */
export function createLogWriter({ format, level, colours, clock, print }: LogWriterOptions): Log {
  const compose = format === 'json' ? jsonLine : prettyLine
  return {
    write(eventLevel, source, message, fields = {}) {
      if (!isShown(eventLevel, level)) return
      const time = new Date(clock.nowMs()).toISOString()
      const event = { time, level: eventLevel, source, message: scrubbed(message), fields: scrubbedFields(fields) }
      print(compose(event, colours))
    },
  }
}

interface Event {
  readonly time: string
  readonly level: LogLevel
  readonly source: LogSource
  readonly message: string
  readonly fields: readonly Field[]
}

/** What every event has comes first and wins over a field of the same name. */
function jsonLine({ time, level, source, message, fields }: Event): string {
  const own = { time, level, source, msg: message }
  return fitting(fields, (kept) => JSON.stringify({ ...own, ...Object.fromEntries(kept), ...own }))
}

function prettyLine({ time, level, source, message, fields }: Event, colours: boolean): string {
  const word = colours ? `\u001b[${COLOURS[level]}m${level.padEnd(5)}\u001b[0m` : level.padEnd(5)
  const head = `${time.slice(11, 23)} ${word} ${source.padEnd(9)} ${message}`
  return fitting(fields, (kept) => [head, ...kept.map(([name, value]) => `${name}=${shown(value)}`)].join(' '))
}

/** Quoted where a reader could not tell where the value ends. */
function shown(value: Field[1]): string {
  return typeof value === 'string' && !/^[^\s"=]+$/.test(value) ? JSON.stringify(value) : String(value)
}

/** The line with as many fields, from the first, as fit. */
function fitting(fields: readonly Field[], line: (kept: readonly Field[]) => string): string {
  const whole = line(fields)
  if (fields.length === 0 || Buffer.byteLength(whole) < LOG_LINE_BYTES_MAX) return whole
  const cut: Field = ['fields_left_out', true]
  for (let count = fields.length - 1; count > 0; count--) {
    const shorter = line([...fields.slice(0, count), cut])
    if (Buffer.byteLength(shorter) < LOG_LINE_BYTES_MAX) return shorter
  }
  return line([cut])
}
