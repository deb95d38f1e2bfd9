import { expect, test } from 'bun:test'
import { openai } from '../../../src/catalog/providers/openai.ts'
import { failure } from '../../../src/core/failure.ts'
import { err } from '../../../src/core/result.ts'
import type { OutboundRequest } from '../../../src/outbound/transport.ts'
import { openAccess } from '../../../src/resources/accounts/access.ts'
import { HandClock } from '../../support/clock.ts'
import { serviceAccountJson } from '../../support/service-account.ts'

test.each<[string, string | null, string | undefined, string | null]>([
  ['the pool of the account', 'ppl_own', 'ppl_provider', 'ppl_own'],
  ['the pool of the provider, where the account names none', null, 'ppl_provider', 'ppl_provider'],
  ['no pool, where the account wants none', 'direct', 'ppl_provider', 'direct'],
  ['whatever holds for all, where nobody names one', null, undefined, null],
])('a token is asked for through %s', async (_, proxyPoolId, ofProvider, expected) => {
  const sent: OutboundRequest[] = []
  const provider = {
    ...openai,
    ...(ofProvider === undefined ? {} : { proxyPool: ofProvider }),
    auth: {
      schemes: ['gcp-sa'],
      headers: {},
      fields: [{ name: 'service_account', label: 'Key', secret: true, required: true }],
    },
  } as const
  const credentials = { service_account: serviceAccountJson('https://oauth2.googleapis.com/token') }
  const place = { id: 'acc_1', proxyPoolId, allowPrivateNetwork: false }
  const account = { ...place, provider, authType: 'gcp-sa', credentials } as const
  const { signer } = openAccess(account, {
    clock: new HandClock(),
    send: async (request) => {
      sent.push(request)
      return err(failure('connect', 'no'))
    },
  })
  const signal = new AbortController().signal
  await signer?.sign({ method: 'POST', url: 'https://api.openai.com/v1', headers: {}, signal })
  expect(sent.map(({ behalf }) => behalf)).toEqual([{ providerId: 'openai', accountId: 'acc_1', proxyPool: expected }])
})
