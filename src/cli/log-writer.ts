import type { LogFormat } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import type { Log, LogFields, LogLevel, LogSource } from '../core/log.ts'
import { redacted } from '../dialects/upstream-error.ts'

/** A line's length, its end included. */
export const LOG_LINE_BYTES_MAX = 8_192
/** A text is cut to this before anything looks at it, so that a huge one costs nothing. */
const TEXT_LENGTH_MAX = 1_024

const IMPORTANCE: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }
const COLOURS: Readonly<Record<LogLevel, string>> = { debug: '90', info: '32', warn: '33', error: '31' }

/** Field names whose text is a secret whatever it looks like. */
const SECRET_NAME = /(^|_|-)(authorization|api_?key|secret|password|cookie|credentials?|token)$/i
/** What moves a terminal's cursor, hides text or forges a line: C0, DEL, C1, line separators, directional marks. */
// oxlint-disable-next-line no-control-regex -- finding control characters is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

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
      if (IMPORTANCE[eventLevel] < IMPORTANCE[level]) return
      const time = new Date(clock.nowMs()).toISOString()
      print(compose({ time, level: eventLevel, source, message: clean(message), fields: cleanFields(fields) }, colours))
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

type Field = readonly [name: string, value: string | number | boolean | null]

function cleanFields(fields: LogFields): Field[] {
  return Object.entries(fields).flatMap(([name, value]): Field[] => {
    if (value === undefined) return []
    if (typeof value !== 'string') return [[name, value]]
    return [[name, SECRET_NAME.test(name) ? '[secret]' : clean(value)]]
  })
}

function clean(text: string): string {
  const cut = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text
  return redacted(cut).replace(CONTROL, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0)
  if (code === 0x0a) return '\\n'
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
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
