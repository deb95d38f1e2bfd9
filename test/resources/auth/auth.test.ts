import { beforeEach, describe, expect, test } from 'bun:test'
import { HOUR_MS } from '../../../src/core/duration.ts'
import { authRoutes } from '../../../src/resources/auth/routes.ts'
import {
  bareApp,
  type Call,
  callerOf,
  type Dashboard,
  makeDashboard,
  OWNER,
  signInOwner,
} from '../../support/dashboard.ts'

let dashboard: Dashboard
let call: Call

beforeEach(async () => {
  dashboard = await makeDashboard()
  const { edge, plugin } = dashboard
  call = callerOf(bareApp().use(authRoutes({ ...edge, authenticated: plugin })))
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('set-up', () => {
  test('a one-time token makes the owner and signs them in', async () => {
    expect((await call('GET', '/v1/auth/setup')).body.data).toEqual({ needed: true, link_expires_in_s: null })
    const token = await dashboard.auth.mintSetUpToken()
    expect((await call('GET', '/v1/auth/setup')).body.data).toEqual({ needed: true, link_expires_in_s: 1_800 })
    const answer = await call('POST', '/v1/auth/setup', { token, ...OWNER })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ email: OWNER.email, expires_in: 3600 })
    expect((await call('GET', '/v1/auth/me', undefined, bearer(answer.body.data.access_token))).body.data.role).toBe(
      'owner',
    )
    expect((await call('GET', '/v1/auth/setup')).body.data).toEqual({ needed: false, link_expires_in_s: null })
  })

  test('it works once, and never again once an owner exists', async () => {
    const token = await dashboard.auth.mintSetUpToken()
    await call('POST', '/v1/auth/setup', { token, ...OWNER })
    expect((await call('POST', '/v1/auth/setup', { token, ...OWNER })).status).toBe(409)
    expect(await dashboard.auth.mintSetUpToken()).toBeUndefined()
  })

  test('a wrong token, none minted, or one older than 30 minutes is refused', async () => {
    expect((await call('POST', '/v1/auth/setup', { token: 'guess', ...OWNER })).status).toBe(401)
    const token = await dashboard.auth.mintSetUpToken()
    expect((await call('POST', '/v1/auth/setup', { token: 'guess', ...OWNER })).status).toBe(401)
    dashboard.clock.advance(30 * 60_000)
    expect((await call('POST', '/v1/auth/setup', { token, ...OWNER })).status).toBe(401)
  })

  test('minting another token voids the one before; a refused password does not', async () => {
    const first = await dashboard.auth.mintSetUpToken()
    const second = await dashboard.auth.mintSetUpToken()
    expect((await call('POST', '/v1/auth/setup', { token: first, ...OWNER })).status).toBe(401)
    expect((await call('POST', '/v1/auth/setup', { ...OWNER, token: second, password: 'short' })).status).toBe(422)
    expect((await call('POST', '/v1/auth/setup', { token: second, ...OWNER })).status).toBe(200)
  })

  for (const [password, reason] of [
    ['elevenchars', 'at least 12'],
    ['1qaz2wsx3edc', 'commonest'],
    ['Password12345!', 'commonest'],
    ['abcabcabcabc', 'repeats'],
    [OWNER.email, 'e-mail'],
  ] as const) {
    test(`the password ${password} is refused by name`, async () => {
      const token = await dashboard.auth.mintSetUpToken()
      const answer = await call('POST', '/v1/auth/setup', { token, email: OWNER.email, password })
      expect(answer.status).toBe(422)
      expect(answer.body.errors.password[0]).toContain(reason)
    })
  }

  test('a long password of any Unicode is taken whole', async () => {
    const token = await dashboard.auth.mintSetUpToken()
    const password = 'пароль 🔐 密码 '.repeat(20)
    expect((await call('POST', '/v1/auth/setup', { token, email: OWNER.email, password })).status).toBe(200)
    expect((await call('POST', '/v1/auth/sign-in', { email: OWNER.email, password })).status).toBe(200)
    expect(
      (await call('POST', '/v1/auth/sign-in', { email: OWNER.email, password: password.slice(0, -1) })).status,
    ).toBe(401)
  })
})

describe('sign-in', () => {
  beforeEach(() => signInOwner(dashboard))

  test('answers the session in its envelope, not to be cached, with a request id', async () => {
    const answer = await call('POST', '/v1/auth/sign-in', OWNER)
    expect(Object.keys(answer.body.data)).toEqual(['uid', 'email', 'access_token', 'refresh_token', 'expires_in'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[a-z2-7]{26}$/)
  })

  test('takes any spelling of the address', async () => {
    expect((await call('POST', '/v1/auth/sign-in', { ...OWNER, email: ' Owner@Example.COM ' })).status).toBe(200)
  })

  test('an unknown address and a wrong password get the same answer', async () => {
    const unknown = await call('POST', '/v1/auth/sign-in', { ...OWNER, email: 'nobody@example.com' })
    const wrong = await call('POST', '/v1/auth/sign-in', { ...OWNER, password: 'not the password' })
    expect([unknown.status, unknown.body]).toEqual([401, wrong.body])
  })

  test('guessing is slowed down more and more, and a pause heals it', async () => {
    const guess = () => call('POST', '/v1/auth/sign-in', { ...OWNER, password: 'not the password' })
    for (let attempt = 0; attempt < 5; attempt++) expect((await guess()).status).toBe(401)
    const throttled = await call('POST', '/v1/auth/sign-in', OWNER)
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '1'])
    dashboard.clock.advance(1_000)
    expect((await guess()).status).toBe(401)
    expect((await guess()).headers.get('retry-after')).toBe('2')
    dashboard.clock.advance(15 * 60_000)
    expect((await call('POST', '/v1/auth/sign-in', OWNER)).status).toBe(200)
  })

  test('a flood from elsewhere does not shut the owner out of their own machine', async () => {
    for (let attempt = 0; attempt < 6; attempt++) await call('POST', '/v1/auth/sign-in', { ...OWNER, password: 'no' })
    dashboard.caller.address = '127.0.0.1'
    expect((await call('POST', '/v1/auth/sign-in', OWNER)).status).toBe(200)
  })

  test('is in the audit log either way, without the password', async () => {
    await call('POST', '/v1/auth/sign-in', { ...OWNER, password: 'not the password' })
    await call('POST', '/v1/auth/sign-in', OWNER)
    const rows = dashboard.db.$client.query('SELECT * FROM audit_entries ORDER BY seq').all() as Record<
      string,
      unknown
    >[]
    expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'auth.set_up ok',
      'auth.sign_in refused',
      'auth.sign_in ok',
    ])
    expect(JSON.stringify(rows)).not.toContain('not the password')
    expect(await dashboard.audit.firstBroken()).toBeNull()
  })
})

describe('a session', () => {
  async function session() {
    return (await call('POST', '/v1/auth/sign-in', OWNER)).body.data
  }
  const refresh = (token: string) => call('POST', '/v1/auth/refresh', { refresh_token: token })
  const me = (token: string) => call('GET', '/v1/auth/me', undefined, bearer(token))

  beforeEach(() => signInOwner(dashboard))

  test('opens the profile for one hour', async () => {
    const { access_token: token } = await session()
    expect((await me(token)).body.data).toMatchObject({ email: OWNER.email, role: 'owner' })
    dashboard.clock.advance(HOUR_MS - 1_000)
    expect((await me(token)).status).toBe(200)
    dashboard.clock.advance(2_000)
    expect((await me(token)).status).toBe(401)
  })

  test('is renewed by its refresh token, which is spent then', async () => {
    const first = await session()
    const second = (await refresh(first.refresh_token)).body.data
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await me(second.access_token)).status).toBe(200)
  })

  test('a spent token gives the same successor for ten seconds', async () => {
    const first = await session()
    const second = (await refresh(first.refresh_token)).body.data
    dashboard.clock.advance(10_000)
    expect((await refresh(first.refresh_token)).body.data.refresh_token).toBe(second.refresh_token)
    expect((await refresh(second.refresh_token)).status).toBe(200)
  })

  test('a token reused later ends the whole family, and the audit log says so', async () => {
    const first = await session()
    const second = (await refresh(first.refresh_token)).body.data
    dashboard.clock.advance(10_001)
    expect((await refresh(first.refresh_token)).status).toBe(401)
    expect((await refresh(second.refresh_token)).status).toBe(401)
    expect((await me(second.access_token)).status).toBe(401)
    const last = dashboard.db.$client.query('SELECT action FROM audit_entries ORDER BY seq DESC LIMIT 1').get()
    expect(last).toEqual({ action: 'auth.refresh_reused' })
  })

  test('so does a token spent several renewals ago', async () => {
    const first = await session()
    let latest = first
    for (let renewal = 0; renewal < 5; renewal++) latest = (await refresh(latest.refresh_token)).body.data
    expect((await refresh(first.refresh_token)).status).toBe(401)
    expect((await refresh(latest.refresh_token)).status).toBe(401)
  })

  test('a made-up token ends nothing', async () => {
    const { refresh_token: token } = await session()
    const madeUp = `${token.split('.')[0]}.${'A'.repeat(43)}`
    for (const guess of [madeUp, 'nonsense', `${token}x`]) expect((await refresh(guess)).status).toBe(401)
    expect((await refresh(token)).status).toBe(200)
  })

  test('a refresh token lives for 30 days', async () => {
    const { refresh_token: token } = await session()
    dashboard.clock.advance(30 * 24 * HOUR_MS)
    expect((await refresh(token)).status).toBe(401)
  })

  test('sign-out ends every session of the user at once', async () => {
    const [here, there] = [await session(), await session()]
    expect((await call('POST', '/v1/auth/sign-out', undefined, bearer(here.access_token))).status).toBe(200)
    for (const { access_token, refresh_token } of [here, there]) {
      expect((await me(access_token)).status).toBe(401)
      expect((await refresh(refresh_token)).status).toBe(401)
    }
  })

  test('a new password ends all other sessions and needs the current one', async () => {
    const [here, there] = [await session(), await session()]
    const change = (body: unknown) => call('PATCH', '/v1/auth/me', body, bearer(here.access_token))
    const password = 'another fine passphrase'
    expect((await change({ password, current_password: 'wrong' })).status).toBe(403)
    expect((await change({ password, current_password: OWNER.password })).status).toBe(200)
    expect([(await me(here.access_token)).status, (await me(there.access_token)).status]).toEqual([200, 401])
    expect((await call('POST', '/v1/auth/sign-in', { ...OWNER, password })).status).toBe(200)
  })

  test('recovery from the command line ends all sessions', async () => {
    const { access_token: token } = await session()
    const origin = { requestId: null, address: null }
    const recovered = await dashboard.auth.resetPassword({ ...OWNER, password: 'a recovered passphrase' }, origin)
    expect(recovered.ok).toBe(true)
    expect((await me(token)).status).toBe(401)
  })

  for (const [name, forge] of [
    ['unsigned', (token: string) => `${part({ alg: 'none', typ: 'access+jwt' })}.${token.split('.')[1]}.`],
    ['cut', (token: string) => token.slice(0, -3)],
    [
      'of another payload',
      (token: string) => [token.split('.')[0], part({ sub: 'usr_x' }), token.split('.')[2]].join('.'),
    ],
    ['empty', () => ''],
    ['a gateway key', () => 'sk-sbx-0000000000000000000000000000000000000000000'],
  ] as const) {
    test(`an access token that is ${name} opens nothing`, async () => {
      const { access_token: token } = await session()
      expect((await me(forge(token))).status).toBe(401)
    })
  }

  test('a token of another installation opens nothing', async () => {
    const { access_token: own } = await session()
    const { sub, sid, epoch } = JSON.parse(Buffer.from(own.split('.')[1], 'base64url').toString())
    const other = await makeDashboard(8)
    const foreign = await other.accessTokens.sign({ userId: sub, sessionId: sid, epoch })
    expect((await me(foreign)).status).toBe(401)
  })
})

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
