/** Makes an event fit to be shown: what a client or a provider wrote can neither give a secret away nor steer a terminal. */
import type { LogFields } from './log.ts'
import { redacted } from './redacted.ts'

/** A text is cut to this before anything looks at it, so that a huge one costs nothing. */
const TEXT_LENGTH_MAX = 1_024
/** Field names whose text is a secret whatever it looks like. */
const SECRET_NAME = /(^|_|-)(authorization|api_?key|secret|password|cookie|credentials?|token)$/i
/** What moves a terminal's cursor, hides text or forges a line: C0, DEL, C1, line separators, directional marks. */
// oxlint-disable-next-line no-control-regex -- finding control characters is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

export type Field = readonly [name: string, value: string | number | boolean | null]

export function scrubbedFields(fields: LogFields): Field[] {
  return Object.entries(fields).flatMap(([name, value]): Field[] => {
    if (value === undefined) return []
    if (typeof value !== 'string') return [[name, value]]
    return [[name, SECRET_NAME.test(name) ? '[secret]' : scrubbed(value)]]
  })
}

/** `text` with secrets left out and control characters escaped, at most `TEXT_LENGTH_MAX` characters of it. */
export function scrubbed(text: string): string {
  const cut = text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text
  return redacted(cut).replace(CONTROL, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0)
  if (code === 0x0a) return '\\n'
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
