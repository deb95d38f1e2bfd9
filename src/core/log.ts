/** Where an event comes from; the console filters by it. */
export type LogSource = 'gateway' | 'router' | 'provider' | 'auth' | 'budget' | 'guardrail' | 'tunnel' | 'db' | 'http'
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Values an event may carry. Objects are refused by type, so that nothing large or secret slips in whole. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Events with a fixed message and named fields. Implementations scrub secrets, escape control characters and cap the line. */
export interface Log {
  write(level: LogLevel, source: LogSource, message: string, fields?: LogFields): void
}
