import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { json } from '../../support/plays.ts'
import { serviceAccountJson } from '../../support/service-account.ts'
import { claimOf, expectedSignature } from '../../support/sigv4.ts'
import { makeAccounts, type Accounts } from './stage.ts'

/** Accounts whose credentials are more than one key: several fields, several ways to sign in, addresses with a part of their own. */
let stage: Accounts
beforeEach(async () => {
  stage = await makeAccounts()
})
afterEach(() => stage.played.stop())

const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const AWS = { region: 'eu-west-1', access_key_id: 'AKIDEXAMPLE0123456', secret_access_key: SECRET_KEY }
const SIGNED = { provider: 'bedrock', auth_type: 'sigv4', credentials: AWS }
const KEY = 'a-key-of-more-than-twenty'
const MASK = 'a-ke…enty'
const AZURE = { provider: 'azure', credentials: { resource: 'mine', api_key: KEY } }
const keyFile = (more: object = {}) => serviceAccountJson(`${stage.played.url}/token`, more)

const post = (body: Record<string, unknown>) => stage.call('POST', '/v1/accounts', body)
const patch = (id: string, body: unknown) => stage.call('PATCH', `/v1/accounts/${id}`, body)
const reveal = async (id: string) => (await stage.call('POST', `/v1/accounts/${id}/reveal`)).body.data.credentials

describe('an account with several fields', () => {
  test('shows those that are no secret, and the others masked', async () => {
    const { body } = await post(SIGNED)
    expect(body.data).toMatchObject({
      auth_type: 'sigv4',
      credentials_masked: { region: 'eu-west-1', access_key_id: 'AKIDEXAMPLE0123456', secret_access_key: 'wJal…EKEY' },
    })
    expect(await reveal(body.data.id)).toEqual(AWS)
  })

  test('gets what nobody said: its project from its key, its location from us', async () => {
    const file = keyFile()
    const { body } = await post({ provider: 'vertex', credentials: { service_account: file } })
    expect(body.data.credentials_masked).toMatchObject({ project_id: 'project-1', location: 'global' })
    expect(await reveal(body.data.id)).toEqual({ service_account: file, project_id: 'project-1', location: 'global' })
    const written = JSON.stringify([stage.db.$client.query('SELECT * FROM accounts').all(), stage.audited(), body])
    expect(written).not.toContain('PRIVATE KEY')
  })

  test('has the region that its credentials name, and no other', async () => {
    const { id, region } = (await stage.call('POST', '/v1/accounts', SIGNED)).body.data
    expect(region).toBe('eu-west-1')
    expect((await stage.call('PATCH', `/v1/accounts/${id}`, { region })).status).toBe(200)
    const refused = await stage.call('PATCH', `/v1/accounts/${id}`, { region: 'us-east-1' })
    expect([refused.status, refused.body.errors]).toEqual([422, { region: ['is what credentials.region says'] }])
    const created = await stage.call('POST', '/v1/accounts', { ...SIGNED, region: 'us-east-1' })
    expect(Object.keys(created.body.errors)).toEqual(['region'])
  })

  test('may have the same key once for each region', async () => {
    const other = { ...AWS, region: 'us-east-1' }
    expect((await post(SIGNED)).status).toBe(201)
    expect((await post({ ...SIGNED, credentials: other })).status).toBe(201)
    expect((await post({ ...SIGNED, credentials: other })).status).toBe(409)
  })

  test('keeps its secret when a form repeats what it was shown', async () => {
    const { id } = (await post(AZURE)).body.data
    const answer = await patch(id, { credentials: { resource: 'mine', api_key: MASK }, weight: 5 })
    expect([answer.status, await reveal(id)]).toEqual([200, { resource: 'mine', api_key: KEY }])
  })
})

const refusals: readonly (readonly [what: string, body: () => Record<string, unknown>, fields: readonly string[]])[] = [
  ['no region', () => ({ ...SIGNED, credentials: { ...AWS, region: '' } }), ['credentials.region']],
  [
    'no part of the key',
    () => ({ ...SIGNED, credentials: {} }),
    ['region', 'access_key_id', 'secret_access_key'].map(dotted),
  ],
  ['a region that would be another host', () => region('eu-west-1.evil.example/'), ['credentials.region']],
  ['a region with an escape', () => region('eu%2Fwest-1'), ['credentials.region']],
  [
    'a key of AWS beside a bearer key',
    () => ({ ...SIGNED, auth_type: 'bearer' }),
    ['access_key_id', 'secret_access_key', 'api_key'].map(dotted),
  ],
  ['a resource with a dot', () => azure({ resource: 'a.b' }), ['credentials.resource']],
  [
    'a sign-in host that is not Microsoft’s',
    () => entra({ authority: 'login.evil.example' }),
    ['credentials.authority'],
  ],
  ['no tenant', () => entra({ tenant_id: undefined }), ['credentials.tenant_id']],
  ['a key file that is no JSON', () => vertex('{'), ['service_account', 'project_id'].map(dotted)],
  ['another kind of JSON', () => vertex('{"type":"authorized_user"}'), ['service_account', 'project_id'].map(dotted)],
  [
    'a key file without a key',
    () => vertex(keyFile({ private_key: 'x' })),
    ['service_account', 'project_id'].map(dotted),
  ],
  ['a key file without a project', () => vertex(keyFile({ project_id: undefined })), ['credentials.project_id']],
  ['a project that would be another path', () => vertex(keyFile({ project_id: '../x' })), ['credentials.project_id']],
]

function dotted(name: string): string {
  return `credentials.${name}`
}

function region(value: string) {
  return { ...SIGNED, credentials: { ...AWS, region: value } }
}

function azure(more: object) {
  return { ...AZURE, credentials: { ...AZURE.credentials, ...more } }
}

function entra(more: object) {
  const credentials = {
    resource: 'mine',
    tenant_id: 'contoso.example',
    client_id: 'app-1',
    client_secret: KEY,
    ...more,
  }
  return { provider: 'azure', auth_type: 'oauth-client', credentials }
}

function vertex(service_account: string) {
  return { provider: 'vertex', credentials: { service_account } }
}

for (const [what, body, fields] of refusals) {
  test(`${what} is refused, naming the field`, async () => {
    const answer = await post(body())
    expect([answer.status, Object.keys(answer.body.errors ?? {}).toSorted()]).toEqual([422, fields.toSorted()])
    expect(JSON.stringify(answer.body)).not.toMatch(/PRIVATE|wJalr/)
  })
}

describe('a change', () => {
  test('to another way to sign in leaves the credentials of the first behind', async () => {
    const { id } = (await post(SIGNED)).body.data
    const bare = await patch(id, { auth_type: 'bearer' })
    expect([bare.status, Object.keys(bare.body.errors)]).toEqual([422, ['credentials.api_key']])
    await patch(id, { auth_type: 'bearer', credentials: { region: 'eu-west-1', api_key: KEY } })
    expect(await reveal(id)).toEqual({ region: 'eu-west-1', api_key: KEY })
  })

  test('of what stands in the address asks for the secrets anew, and never takes them along', async () => {
    const { id } = (await post(AZURE)).body.data
    const moved = await patch(id, { credentials: { resource: 'theirs', api_key: MASK } })
    expect([moved.status, Object.keys(moved.body.errors)]).toEqual([422, ['credentials.api_key']])
    expect(await reveal(id)).toEqual({ resource: 'mine', api_key: KEY })
    await patch(id, { credentials: { resource: 'theirs', api_key: KEY } })
    expect(await reveal(id)).toEqual({ resource: 'theirs', api_key: KEY })
  })

  test('to an address of its own drops them all, unless something is sent anew', async () => {
    const { id } = (await post(AZURE)).body.data
    const away = { base_url_override: 'https://proxy.example.com/openai' }
    const dropped = await patch(id, { ...away, credentials: { resource: 'mine', api_key: MASK } })
    expect(dropped.body.data).toMatchObject({ credentials_set: false, status: 'auth_error' })
  })
})

describe('a test of what is not saved', () => {
  const validate = async (body: Record<string, unknown>) =>
    (await stage.call('POST', '/v1/validate-key', { allow_private_network: true, ...body })).body.data
  const at = () => ({ base_url_override: stage.played.url })

  test('signs its calls', async () => {
    stage.played.play(json({ message: 'no such operation' }, 404))
    await validate({ provider: 'bedrock', auth_scheme: 'sigv4', credentials: AWS, ...at() })
    const [request] = stage.played.requests
    if (request === undefined) throw new Error('nothing was asked')
    const claim = claimOf(request)
    expect(claim).toMatchObject({ accessKeyId: AWS.access_key_id, region: 'eu-west-1', service: 'bedrock' })
    expect(claim.signature).toBe(expectedSignature(request, claim, SECRET_KEY))
  })

  test('exchanges its key once for all its calls', async () => {
    stage.played.play(json({ access_token: 'ya29.one', expires_in: 3_600 }))
    stage.played.otherwise(json({ error: { code: 404, status: 'NOT_FOUND' } }, 404))
    const report = await validate({ provider: 'vertex', credentials: { service_account: keyFile() }, ...at() })
    expect(report.warnings.length).toBe(1)
    const [exchange, asked] = stage.played.requests
    expect([exchange?.path, asked?.headers['authorization']]).toEqual(['/token', 'Bearer ya29.one'])
  })

  test('says that it is the credentials when they are not exchanged', async () => {
    stage.played.play(json({ error: 'invalid_grant', error_description: 'secret detail of theirs' }, 400))
    const report = await validate({ provider: 'vertex', credentials: { service_account: keyFile() }, ...at() })
    const steps = report.steps.map(({ step, class: kind }: { step: string; class?: string }) => [step, kind])
    expect(steps).toEqual([
      ['resolve', undefined],
      ['connect', undefined],
      ['auth', 'auth'],
    ])
    expect(JSON.stringify(report)).not.toContain('secret detail')
  })
})
