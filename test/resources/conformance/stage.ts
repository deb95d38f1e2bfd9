import { GOOD_MODEL, playFaultyProvider, type Fault } from '../../support/faulty-provider.ts'
import { makeAccounts } from '../accounts/stage.ts'

export interface ReportedCheck {
  readonly dialect: string
  readonly check: string
  readonly outcome: string
  readonly why: string | null
}

export interface Reported {
  readonly score: number
  readonly checked_at: string
  readonly failed: readonly Omit<ReportedCheck, 'outcome'>[]
  readonly checks: readonly ReportedCheck[]
  readonly quirks: Readonly<Record<string, unknown>>
  readonly applied: boolean
  readonly calls: number
  readonly tokens: number
  readonly cost_usd: number | null
}

/** A provider of the operator's own with an account, at a host whose faults can be switched. */
export async function makeConformance() {
  const accounts = await makeAccounts()
  accounts.played.stop()
  const host = playFaultyProvider()
  const { call } = accounts
  const add = async (provider: object = {}) => {
    const dialects = [{ dialect: 'openai_chat', base_url: `${host.played.url}/v1` }]
    const models = { models_mode: 'static', models: [{ id: GOOD_MODEL, price: { input: 1, output: 2 } }] }
    const fields = { slug: 'mine', dialects, allow_private_network: true, ...models, ...provider }
    const added = await call('POST', '/v1/custom-providers', fields)
    const account = await call('POST', '/v1/accounts', {
      provider: 'mine',
      name: 'rack',
      credentials: { api_key: KEY },
    })
    return { providerId: added.body.data.id as string, accountId: account.body.data.id as string }
  }
  /** Asks with the account while the host has these faults. */
  const check = async (accountId: string, faults: readonly Fault[], body: object = {}): Promise<Reported> => {
    host.have(...faults)
    const answer = await call('POST', `/v1/accounts/${accountId}/probe`, body)
    if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  return { ...accounts, host, add, check }
}

export type ConformanceStage = Awaited<ReturnType<typeof makeConformance>>

export const KEY = 'sk-mine-0123456789-0123456789'
