import { parseArgs } from 'node:util'
import { type SettingFlags, type SettingName, SETTINGS, type UsageError } from '../config.ts'
import { err, ok, type Result } from '../core/result.ts'
import type { Command, Flag, FlagValues } from './command.ts'

export interface Arguments {
  readonly help: boolean
  readonly settings: SettingFlags
  readonly flags: FlagValues
  readonly operand: string
}

/** The arguments after a command's name. A flag given twice counts as given last. */
export function parseArguments(command: Command, argv: readonly string[]): Result<Arguments, UsageError> {
  const known = flagsOf(command)
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...optionsOf(known), h: { type: 'boolean' } },
    strict: false,
    tokens: true,
  })
  const values: Record<string, string | true> = {}
  for (const token of tokens) {
    const fault = faultOf(token, known)
    if (fault !== undefined) return err({ message: fault })
    if (token.kind === 'option') values[token.name === 'h' ? 'help' : token.name] = token.value ?? true
  }
  const operands = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const operandFault = values['help'] === undefined ? faultOfOperands(operands, command) : undefined
  if (operandFault !== undefined) return err({ message: operandFault })
  return ok({ ...split(values, command.settings), operand: operands[0] ?? '' })
}

/** Every flag that `command` takes, in the order in which the help lists them. */
export function flagsOf(command: Command): Readonly<Record<string, Flag>> {
  const settings = command.settings.map((name): [string, Flag] => [name, settingFlag(name)])
  return { ...command.flags, ...Object.fromEntries(settings), help: { help: 'show this text' } }
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]

function faultOf(token: Token, known: Readonly<Record<string, Flag>>): string | undefined {
  if (token.kind !== 'option') return undefined
  const flag = token.name === 'h' ? known['help'] : known[token.name]
  if (flag === undefined) return `unknown flag ${token.rawName}`
  if (flag.value !== undefined && token.value === undefined) return `${token.rawName} needs a value: ${flag.value}`
  if (flag.value === undefined && token.value !== undefined) return `${token.rawName} takes no value`
  return undefined
}

function faultOfOperands(operands: readonly string[], { operand }: Command): string | undefined {
  const surplus = operands[operand === undefined ? 0 : 1]
  if (surplus !== undefined) return `unexpected argument ${JSON.stringify(surplus)}`
  return operand !== undefined && operands.length === 0 ? `${operand} is needed` : undefined
}

function settingFlag(name: SettingName): Flag {
  const setting: Flag & { readonly variable?: string } = SETTINGS[name]
  const { variable } = setting
  return variable === undefined ? setting : { ...setting, help: `${setting.help}, or ${variable}` }
}

function optionsOf(flags: Readonly<Record<string, Flag>>): Record<string, { type: 'string' | 'boolean' }> {
  const entries = Object.entries(flags)
  return Object.fromEntries(
    entries.map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
  )
}

function split(values: FlagValues, names: readonly SettingName[]): Omit<Arguments, 'operand'> {
  const isSetting = (name: string): boolean => names.some((setting) => setting === name)
  const { help, ...given } = values
  const entries = Object.entries(given)
  return {
    help: help === true,
    settings: Object.fromEntries(entries.filter(([name]) => isSetting(name))),
    flags: Object.fromEntries(entries.filter(([name]) => !isSetting(name))),
  }
}
