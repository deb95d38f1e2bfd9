/** Where an event comes from; the console filters by it. */
export const LOG_SOURCES = [
  'gateway',
  'router',
  'provider',
  'auth',
  'budget',
  'guardrail',
  'tunnel',
  'db',
  'http',
] as const
export type LogSource = (typeof LOG_SOURCES)[number]

/** The least important first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Values an event may carry. Objects are refused by type, so that nothing large or secret slips in whole. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Events with a fixed message and named fields. Implementations scrub secrets, escape control characters and cap the line. */
export interface Log {
  write(level: LogLevel, source: LogSource, message: string, fields?: LogFields): void
}

/** Whether an event of `level` is to be shown where `least` is the least important one that is. */
export function isShown(level: LogLevel, least: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least)
}

/** Every event goes to each of `logs`. */
export function tee(...logs: readonly Log[]): Log {
  return {
    write(...event) {
      for (const log of logs) log.write(...event)
    },
  }
}
