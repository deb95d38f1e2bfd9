import { describe, expect, test } from 'bun:test'
import { type Config, type Environment, readConfig, type SettingFlags } from '../src/config.ts'

const HOME = { HOME: '/h' }

function read(flags: SettingFlags, env: Environment = HOME): Config {
  const config = readConfig(flags, env)
  if (!config.ok) throw new Error(config.error.message)
  return config.value
}

function fault(flags: SettingFlags, env: Environment = HOME): string | undefined {
  const config = readConfig(flags, env)
  return config.ok ? undefined : config.error.message
}

describe('settings', () => {
  test('without flags and variables it listens on loopback and keeps its data below the home folder', () => {
    expect(read({})).toMatchObject({
      host: '127.0.0.1',
      port: 4680,
      dataDir: '/h/.local/share/signalbox',
      log: { format: 'pretty', level: 'info' },
      tls: null,
      masterKey: { keyFile: undefined, credentialsDir: undefined },
      firstOwner: null,
      proxies: { http: null, https: null, bypass: [] },
    })
  })

  test('a flag beats its variable', () => {
    const env = { ...HOME, SIGNALBOX_PORT: '1', SIGNALBOX_HOST: '::1' }
    expect(read({ port: '2' }, env)).toMatchObject({ port: 2, host: '::1' })
  })

  test('an empty variable counts as unset', () => {
    expect(read({}, { ...HOME, SIGNALBOX_PORT: '', SIGNALBOX_ADMIN_EMAIL: '' })).toMatchObject({ port: 4680 })
  })

  test('an IPv6 address may be written with brackets', () => {
    expect(read({ host: '[::1]' }).host).toBe('::1')
  })

  test('the owner’s password does not show when the configuration is printed', () => {
    const env = { ...HOME, SIGNALBOX_ADMIN_EMAIL: 'a@b.example', SIGNALBOX_ADMIN_PASSWORD: 'correct horse battery' }
    expect(`${JSON.stringify(read({}, env))}${Bun.inspect(read({}, env))}`).not.toContain('horse')
  })

  test('proxies are read in either case, a bare host counts as http', () => {
    const env = {
      ...HOME,
      https_proxy: 'proxy.example:3128',
      HTTPS_PROXY: 'http://other',
      NO_PROXY: ' localhost,,.lan ',
    }
    expect(read({}, env).proxies).toEqual({
      http: null,
      https: 'http://proxy.example:3128/',
      bypass: ['localhost', '.lan'],
    })
  })
})

describe('the data folder', () => {
  const cases: [Environment, SettingFlags, string][] = [
    [{ ...HOME, XDG_DATA_HOME: '/x' }, {}, '/x/signalbox'],
    [{ ...HOME, XDG_DATA_HOME: '/x', STATE_DIRECTORY: '/var/lib/signalbox:/other' }, {}, '/var/lib/signalbox'],
    [{ STATE_DIRECTORY: '/s', SIGNALBOX_DATA_DIR: '/d' }, {}, '/d'],
    [{ SIGNALBOX_DATA_DIR: '/d' }, { 'data-dir': '/f' }, '/f'],
    [{ USERPROFILE: '/u' }, {}, '/u/.local/share/signalbox'],
  ]
  for (const [env, flags, expected] of cases) {
    test(`is ${expected} for ${JSON.stringify({ ...env, ...flags })}`, () => {
      expect(read(flags, env).dataDir).toBe(expected)
    })
  }
})

test('the master key may lie in a named file or among the service manager’s credentials', () => {
  const env = { ...HOME, CREDENTIALS_DIRECTORY: '/run/c', SIGNALBOX_MASTER_KEY_FILE: '/k' }
  expect(read({}, env).masterKey).toEqual({ keyFile: '/k', credentialsDir: '/run/c' })
})

describe('a value that cannot be used is refused by the name it was given under', () => {
  const cases: [SettingFlags, Environment, string][] = [
    [{ port: '65536' }, HOME, '--port: "65536" is not a port from 0 to 65535'],
    [{ port: '' }, HOME, '--port: "" is not a port from 0 to 65535'],
    [{}, { ...HOME, SIGNALBOX_PORT: '4e3' }, 'SIGNALBOX_PORT: "4e3" is not a port from 0 to 65535'],
    [{ host: 'a b' }, HOME, '--host: "a b" is not an address or a host name'],
    [{ 'log-level': 'loud' }, HOME, '--log-level: "loud" is none of debug, info, warn, error'],
    [{ 'data-dir': '' }, HOME, '--data-dir: "" is not a folder'],
    [{}, {}, 'no home folder is known: say where to keep data with --data-dir'],
    [{ 'tls-cert': 'c.pem' }, HOME, '--tls-cert needs --tls-key (or SIGNALBOX_TLS_KEY) beside it'],
    [{}, { ...HOME, SIGNALBOX_ADMIN_EMAIL: 'a@b' }, 'SIGNALBOX_ADMIN_EMAIL needs SIGNALBOX_ADMIN_PASSWORD beside it'],
  ]
  for (const [flags, env, message] of cases) {
    test(message, () => expect(fault(flags, env)).toBe(message))
  }

  test('without repeating a proxy’s password', () => {
    const message = fault({}, { ...HOME, HTTPS_PROXY: 'socks5://user:hunter2@proxy' })
    expect(message).toBe('HTTPS_PROXY is not the address of an http:// or https:// proxy')
  })
})
