/**
 * Flags and environment → Config. The only reader of the environment, handed in by main.ts: what else in the program depends
 * on it depends on a field here. A flag beats its variable, an empty variable counts as unset, and what cannot be used is a
 * usage error that names the flag or variable it came from.
 */
import { join, resolve } from 'node:path'
import { version } from '../package.json'
import { LOG_LEVELS, type LogLevel } from './core/log.ts'
import { err, ok, type Result } from './core/result.ts'
import { Secret } from './core/secret.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Config {
  readonly build: Build
  /** A name or an address without brackets. */
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Absolute. The only folder that is written to. */
  readonly dataDir: string
  readonly log: { readonly format: LogFormat; readonly level: LogLevel }
  /** PEM files; null: plain HTTP. */
  readonly tls: { readonly certPath: string; readonly keyPath: string } | null
  /** Where the master key may lie. Without either: `keys/master.key` in the data folder, made at the first start. */
  readonly masterKey: MasterKeyPlaces
  /** Creates the first owner when there is none; never changes an existing one. */
  readonly firstOwner: { readonly email: string; readonly password: Secret } | null
  /** The proxies that outbound calls go through unless an account names another. */
  readonly proxies: OutboundProxies
  /** Where helper programs are looked for, as the system writes it. */
  readonly programPath: string
}

export type LogFormat = 'pretty' | 'json'

export interface Build {
  readonly version: string
  /** The commit it was built from; `source` when it runs from a working tree. */
  readonly commit: string
  /** The folder that `drizzle/` lies in: the repository, or the inside of the executable. */
  readonly assetsDir: string
}

export interface MasterKeyPlaces {
  readonly keyFile: string | undefined
  /** Where systemd puts the unit's credentials. */
  readonly credentialsDir: string | undefined
}

export interface OutboundProxies {
  readonly http: string | null
  readonly https: string | null
  /** Hosts that are reached directly: names, `.suffixes` or `*`. */
  readonly bypass: readonly string[]
}

/** One line for the person at the keyboard; the process ends with exit code 2. */
export interface UsageError {
  readonly message: string
}

/** The flags that set a field of Config, by name without dashes. */
export type SettingName = keyof typeof SETTINGS
export type SettingFlags = Readonly<Partial<Record<SettingName, string>>>

interface Setting {
  readonly value: string
  readonly help: string
  readonly variable?: string
}

export const SETTINGS = {
  host: { value: '<address>', variable: 'SIGNALBOX_HOST', help: 'address to listen on (127.0.0.1)' },
  port: { value: '<number>', variable: 'SIGNALBOX_PORT', help: 'port to listen on; 0 takes any free one (4680)' },
  'data-dir': { value: '<folder>', variable: 'SIGNALBOX_DATA_DIR', help: 'data folder (~/.local/share/signalbox)' },
  'log-format': { value: 'pretty|json', help: 'how events are written (pretty)' },
  'log-level': { value: 'debug|info|warn|error', help: 'the least important events that are written (info)' },
  'tls-cert': { value: '<file>', variable: 'SIGNALBOX_TLS_CERT', help: 'PEM certificate; needs --tls-key' },
  'tls-key': { value: '<file>', variable: 'SIGNALBOX_TLS_KEY', help: 'PEM private key; needs --tls-cert' },
} as const satisfies Record<string, Setting>

/** Bun puts it in when it compiles; absent when run from source. */
declare const SIGNALBOX_COMMIT: string | undefined

export const BUILD: Build = {
  version,
  commit: typeof SIGNALBOX_COMMIT === 'string' ? SIGNALBOX_COMMIT : 'source',
  assetsDir: Bun.isStandaloneExecutable ? import.meta.dir : join(import.meta.dir, '..'),
}

const PORT_MAX = 65_535
const DEFAULT_PORT = 4680
const LOG_FORMATS: readonly LogFormat[] = ['pretty', 'json']

/** Reads no file: whether the certificate or the data folder can be used is found out where they are opened. */
export function readConfig(flags: SettingFlags, env: Environment): Result<Config, UsageError> {
  const faults: string[] = []
  const config = read(
    (name) => given(flags, env, name),
    env,
    (message) => void faults.push(message),
  )
  const [first] = faults
  return first === undefined ? ok(config) : err({ message: first })
}

/** Takes a sentence about a value that cannot be used; its reader goes on with the default. */
type Fault = (message: string) => void

/** A value and what the person would have to change: `--port` or `SIGNALBOX_PORT`. */
interface Given {
  readonly text: string
  readonly source: string
}

function read(setting: (name: SettingName) => Given | undefined, env: Environment, fault: Fault): Config {
  return {
    build: BUILD,
    host: readHost(setting('host'), fault),
    port: readPort(setting('port'), fault),
    dataDir: readDataDir(setting('data-dir'), env, fault),
    log: {
      format: readWord(setting('log-format'), LOG_FORMATS, 'pretty', fault),
      level: readWord(setting('log-level'), LOG_LEVELS, 'info', fault),
    },
    tls: readTls(setting('tls-cert'), setting('tls-key'), fault),
    masterKey: readMasterKey(env),
    firstOwner: readFirstOwner(env, fault),
    proxies: readProxies(env, fault),
    programPath: env['PATH'] ?? '',
  }
}

function given(flags: SettingFlags, env: Environment, name: SettingName): Given | undefined {
  const flag = flags[name]
  if (flag !== undefined) return { text: flag, source: `--${name}` }
  const setting: Setting = SETTINGS[name]
  return setting.variable === undefined ? undefined : variable(env, setting.variable)
}

function variable(env: Environment, name: string): Given | undefined {
  const text = env[name]
  return text === undefined || text === '' ? undefined : { text, source: name }
}

function unusable({ text, source }: Given, why: string): string {
  return `${source}: ${JSON.stringify(text)} ${why}`
}

function readHost(host: Given | undefined, fault: Fault): string {
  if (host === undefined) return '127.0.0.1'
  const bare = /^\[.*\]$/.test(host.text) ? host.text.slice(1, -1) : host.text
  if (!/^[\w.:%-]+$/.test(bare)) fault(unusable(host, 'is not an address or a host name'))
  return bare
}

function readPort(port: Given | undefined, fault: Fault): number {
  if (port === undefined) return DEFAULT_PORT
  const number = Number(port.text)
  if (!/^\d+$/.test(port.text) || number > PORT_MAX) fault(unusable(port, `is not a port from 0 to ${PORT_MAX}`))
  return number
}

function readWord<Word extends string>(
  word: Given | undefined,
  words: readonly Word[],
  otherwise: Word,
  fault: Fault,
): Word {
  if (word === undefined) return otherwise
  const known = words.find((candidate) => candidate === word.text)
  if (known === undefined) fault(unusable(word, `is none of ${words.join(', ')}`))
  return known ?? otherwise
}

function readDataDir(folder: Given | undefined, env: Environment, fault: Fault): string {
  if (folder?.text === '') fault(unusable(folder, 'is not a folder'))
  if (folder !== undefined) return resolve(folder.text)
  // systemd lists one folder for each StateDirectory= entry of the unit; ours has one.
  const state = variable(env, 'STATE_DIRECTORY')?.text.split(':')[0]
  if (state !== undefined) return resolve(state)
  const shared = variable(env, 'XDG_DATA_HOME')?.text
  if (shared !== undefined) return resolve(shared, 'signalbox')
  const home = (variable(env, 'HOME') ?? variable(env, 'USERPROFILE'))?.text
  if (home === undefined) fault('no home folder is known: say where to keep data with --data-dir')
  return resolve(home ?? '.', '.local', 'share', 'signalbox')
}

function readTls(cert: Given | undefined, key: Given | undefined, fault: Fault): Config['tls'] {
  if (cert !== undefined && key !== undefined) return { certPath: resolve(cert.text), keyPath: resolve(key.text) }
  if (cert !== undefined) fault(`${cert.source} needs --tls-key (or SIGNALBOX_TLS_KEY) beside it`)
  if (key !== undefined) fault(`${key.source} needs --tls-cert (or SIGNALBOX_TLS_CERT) beside it`)
  return null
}

function readMasterKey(env: Environment): MasterKeyPlaces {
  const file = variable(env, 'SIGNALBOX_MASTER_KEY_FILE')
  const folder = variable(env, 'CREDENTIALS_DIRECTORY')
  return { keyFile: file && resolve(file.text), credentialsDir: folder && resolve(folder.text) }
}

function readFirstOwner(env: Environment, fault: Fault): Config['firstOwner'] {
  const email = variable(env, 'SIGNALBOX_ADMIN_EMAIL')
  const password = variable(env, 'SIGNALBOX_ADMIN_PASSWORD')
  if (email !== undefined && password !== undefined) {
    return { email: email.text, password: new Secret(password.text) }
  }
  if (email !== undefined) fault(`${email.source} needs SIGNALBOX_ADMIN_PASSWORD beside it`)
  if (password !== undefined) fault(`${password.source} needs SIGNALBOX_ADMIN_EMAIL beside it`)
  return null
}

/** The lower-case names win, as they do in curl. */
function readProxies(env: Environment, fault: Fault): OutboundProxies {
  const bypass = (variable(env, 'no_proxy') ?? variable(env, 'NO_PROXY'))?.text ?? ''
  return {
    http: readProxy(variable(env, 'http_proxy') ?? variable(env, 'HTTP_PROXY'), fault),
    https: readProxy(variable(env, 'https_proxy') ?? variable(env, 'HTTPS_PROXY'), fault),
    bypass: bypass.split(',').flatMap((host) => (host.trim() === '' ? [] : [host.trim()])),
  }
}

/** The value may hold a password, so the fault does not repeat it. */
function readProxy(proxy: Given | undefined, fault: Fault): string | null {
  if (proxy === undefined) return null
  const url = URL.parse(proxy.text.includes('://') ? proxy.text : `http://${proxy.text}`)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href
  fault(`${proxy.source} is not the address of an http:// or https:// proxy`)
  return null
}
