/** Texts of a LiteLLM configuration, which may leave values to the environment. */
import { asString, type Json } from '../../core/json.ts'
import type { Variables } from './found.ts'

const VARIABLE = 'os.environ/'

/** Those that have a value: one that is empty is as good as none. */
export function filled(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
}

/** The text itself, or the variable that it names; undefined when nobody says what that is. */
export function resolved(text: string, variables: Variables): string | undefined {
  return text.startsWith(VARIABLE) ? variables[text.slice(VARIABLE.length)] : text
}

export function missingVariable(text: string): string {
  return `${text.slice(VARIABLE.length)} has no value; name a file that gives it one with --env-file`
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'number' ? String(value) : asString(value)
}
