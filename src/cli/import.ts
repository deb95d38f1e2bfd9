import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { err, ok, type Result } from '../core/result.ts'
import { type Call, type Command, EXIT, type ExitCode, JSON_FLAG, textFlag } from './command.ts'
import { parseVariables } from './import/env-file.ts'
import type { Found, Variables } from './import/found.ts'
import { carryOut, type Intent, intentsOf } from './import/intent.ts'
import { FILE_BYTES_MAX, readFound } from './import/read.ts'
import { linesOf, resultLines, toJson } from './import/show.ts'
import { withApp } from './with-app.ts'

export const importFile: Command = {
  name: 'import',
  summary: 'take over accounts, models and keys from LiteLLM, 9router or a .env file',
  operand: '<file>',
  settings: ['data-dir'],
  flags: {
    'env-file': { value: '<file>', help: 'a .env file with what a LiteLLM configuration takes from os.environ/' },
    'dry-run': { help: 'only show what would be created' },
    yes: { help: 'do not ask before anything is created' },
    json: JSON_FLAG,
  },
  async run(call) {
    const found = await foundIn(call)
    if (!found.ok) {
      call.terminal.tell(`signalbox: ${found.error}`)
      return EXIT.failure
    }
    return withApp(call, async (app) => takeOver(call, found.value, intentsOf(found.value, app)))
  },
}

async function foundIn({ operand, flags }: Call): Promise<Result<Found, string>> {
  const text = await textOf(operand)
  if (!text.ok) return text
  const variables = await variablesIn(textFlag(flags, 'env-file'))
  if (!variables.ok) return variables
  const found = readFound(text.value, variables.value)
  return found.ok ? found : err(`${operand} ${found.error}`)
}

async function variablesIn(path: string | undefined): Promise<Result<Variables, string>> {
  if (path === undefined) return ok({})
  const text = await textOf(path)
  if (!text.ok) return text
  const variables = parseVariables(text.value)
  return variables === undefined ? err(`${path} holds no variables`) : ok(variables)
}

/** The error is one sentence for the person at the terminal. */
async function textOf(path: string): Promise<Result<string, string>> {
  try {
    const file = resolve(path)
    const { size } = await stat(file)
    if (size > FILE_BYTES_MAX) return err(`${path} is larger than ${FILE_BYTES_MAX / 1_024 / 1_024} MiB`)
    return ok(await Bun.file(file).text())
  } catch (thrown) {
    return err(`${path} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
}

async function takeOver(call: Call, found: Found, intents: readonly Intent[]): Promise<ExitCode> {
  const { flags, terminal } = call
  const isJson = flags['json'] === true
  const untouched = intents.map((intent) => ({ intent, refusal: intent.problem }))
  const fresh = intents.filter(({ state }) => state === 'new').length
  if (!isJson) for (const line of linesOf(found, intents)) terminal.print(line)
  if (flags['dry-run'] === true || fresh === 0) {
    if (isJson) terminal.print(toJson(found, untouched, false))
    else if (intents.length > 0)
      terminal.print(fresh > 0 ? `would create ${fresh}; nothing was created` : 'nothing is new')
    return EXIT.ok
  }
  const agreed = flags['yes'] === true ? true : await terminal.confirm(`Create ${fresh} of these?`)
  if (agreed !== true) return refused(call, agreed)
  const outcomes = await carryOut(intents)
  if (isJson) terminal.print(toJson(found, outcomes, true))
  else for (const line of resultLines(outcomes)) terminal.print(line)
  return outcomes.every(({ intent, refusal }) => intent.state !== 'new' || refusal === null) ? EXIT.ok : EXIT.failure
}

function refused({ terminal }: Call, answer: false | undefined): ExitCode {
  if (answer === false) return EXIT.failure
  terminal.tell('signalbox: nobody is there to be asked; say --yes to create all of it, or --dry-run to see it')
  return EXIT.usage
}
