import type { App } from '../app.ts'
import { actedBy } from '../resources/auth/acted-by.ts'
import { LOCAL } from '../resources/auth/actor.ts'
import type { KeyDraft } from '../resources/keys/schema.ts'
import { type Command, EXIT, type FlagValues, JSON_FLAG, textFlag } from './command.ts'
import { tellRefusal, withApp } from './with-app.ts'

export const createKey: Command = {
  name: 'key create',
  summary: 'issue a gateway key and print its secret, once',
  settings: ['data-dir'],
  flags: {
    name: { value: '<text>', help: 'what to call it' },
    plan: { value: '<name>', help: 'the plan that it is on, by its name or id (the default plan)' },
    models: { value: '<patterns>', help: 'the models it may use, separated by commas (all)' },
    json: JSON_FLAG,
  },
  async run(call) {
    const { flags, terminal } = call
    const name = textFlag(flags, 'name')
    if (name === undefined || name.trim() === '') {
      terminal.tell('signalbox: --name is needed')
      return EXIT.usage
    }
    return withApp(call, async (app) => {
      const plan = planOf(app.plans, flags)
      if (plan === 'unknown') {
        terminal.tell(`signalbox: there is no plan ${textFlag(flags, 'plan')}`)
        return EXIT.failure
      }
      const created = await app.keys.create({ name, ...plan, ...modelRules(flags) }, actedBy(LOCAL))
      if (!created.ok) return tellRefusal(terminal, created.error)
      const { key, secret } = created.value
      terminal.print(flags['json'] === true ? JSON.stringify({ id: key.id, name: key.name, secret }) : secret)
      return EXIT.ok
    })
  },
}

function planOf(plans: Pick<App['plans'], 'all'>, flags: FlagValues): Pick<KeyDraft, 'plan_id'> | 'unknown' {
  const named = textFlag(flags, 'plan')
  if (named === undefined) return {}
  const plan = plans.all().find(({ id, name }) => id === named || name === named)
  return plan === undefined ? 'unknown' : { plan_id: plan.id }
}

function modelRules(flags: FlagValues): Pick<KeyDraft, 'models_allow'> {
  const models = textFlag(flags, 'models')
  return models === undefined ? {} : { models_allow: models.split(',').map((pattern) => pattern.trim()) }
}
