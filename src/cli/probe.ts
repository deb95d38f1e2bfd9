import { actedBy } from '../resources/auth/acted-by.ts'
import { LOCAL } from '../resources/auth/actor.ts'
import { reportToWire, quoteToWire, type QuoteWire, type ReportWire } from '../resources/conformance/schema.ts'
import { type Command, EXIT, type ExitCode, JSON_FLAG, type Terminal, textFlag } from './command.ts'
import { tellRefusal, withApp } from './with-app.ts'

export const probe: Command = {
  name: 'probe',
  summary: 'check whether a provider does what its formats promise, by a few cheap calls',
  operand: '<provider or account>',
  settings: ['data-dir'],
  flags: {
    model: { value: '<name>', help: 'the model to ask (a cheap one)' },
    'dry-run': { help: 'only say what it would cost' },
    yes: { help: 'do not ask before the calls' },
    'no-apply': { help: 'only report quirks; otherwise they are written into a custom provider' },
    json: JSON_FLAG,
  },
  run: (call) =>
    withApp(call, async ({ conformance }) => {
      const { flags, terminal, operand } = call
      const isJson = flags['json'] === true
      const model = textFlag(flags, 'model')
      const account = conformance.accountFor(operand)
      if (!account.ok) return tellRefusal(terminal, account.error)
      const quote = conformance.quote(account.value, model)
      if (!quote.ok) return tellRefusal(terminal, quote.error)
      const cost = quoteToWire(quote.value)
      if (flags['dry-run'] === true) {
        terminal.print(isJson ? JSON.stringify(cost) : costOf(cost))
        return EXIT.ok
      }
      const isAgreed = flags['yes'] === true || (await agreed(terminal, cost))
      if (isAgreed !== true) return isAgreed
      const report = await conformance.check(
        account.value,
        { model, apply: flags['no-apply'] !== true },
        actedBy(LOCAL),
      )
      if (!report.ok) return tellRefusal(terminal, report.error)
      const wire = reportToWire(report.value)
      terminal.print(isJson ? JSON.stringify(wire) : linesOf(wire).join('\n'))
      return wire.failed.length === 0 ? EXIT.ok : EXIT.failure
    }),
}

/** True, or the code to end with. */
async function agreed(terminal: Terminal, cost: QuoteWire): Promise<true | ExitCode> {
  const answer = await terminal.confirm(`${costOf(cost)}. Go on?`)
  if (answer === true) return true
  if (answer === false) return EXIT.failure
  terminal.tell(`signalbox: ${costOf(cost)}; say --yes to go on without being asked`)
  return EXIT.usage
}

function costOf({ calls, tokens, tokens_max, cost_usd, cost_max_usd, models }: QuoteWire): string {
  const usual = `${calls} calls, about ${tokens} tokens${dollars(cost_usd)}`
  const whom = models.length === 0 ? '' : ` with ${[...new Set(models)].join(', ')}`
  return `${usual}, at most ${tokens_max}${dollars(cost_max_usd)}${whom}`
}

function linesOf(report: ReportWire): readonly string[] {
  const { provider, score, failed, checks, quirks, applied, calls, tokens, cost_usd } = report
  const skipped = checks.filter(({ outcome }) => outcome === 'skipped')
  const found = Object.entries(quirks).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`,
  )
  return [
    `${provider}: ${score} of 100 (${calls} calls, ${tokens} tokens${dollars(cost_usd)})`,
    ...failed.map(({ dialect, check, why }) => `failed   ${dialect} ${check}: ${why}`),
    ...skipped.map(({ dialect, check, why }) => `skipped  ${dialect} ${check}: ${why}`),
    ...found.map((quirk) => `${applied ? 'written ' : 'found   '} ${quirk}`),
  ]
}

function dollars(usd: number | null): string {
  return usd === null ? '' : ` (${usd.toFixed(4)} $)`
}
