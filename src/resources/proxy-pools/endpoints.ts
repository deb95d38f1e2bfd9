/** The exits of a pool on the wire: URLs whose login is shown masked, and stays when its mask is sent back. */
import { type Static, Type } from '@sinclair/typebox'
import { err, ok, type Result } from '../../core/result.ts'
import { maskSecret } from '../../core/secret.ts'
import { optional } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { exitAt, parseExit, type Exit } from '../../outbound/exits/exit.ts'
import { checkExitAtSave } from '../../outbound/policy.ts'
import type { PoolEndpoint } from './proxy-pool.ts'

const ENDPOINTS_MAX = 200
const WEIGHT_MAX = 1_000

const EndpointField = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description:
        'http, https, socks5 (addresses are looked up here) or socks5h, with `user:password@` if it asks for one',
    }),
    weight: optional(Type.Integer({ minimum: 1, maximum: WEIGHT_MAX, description: 'default 1' })),
    enabled: optional(Type.Boolean()),
  },
  CLOSED,
)

export const EndpointsField = Type.Array(EndpointField, {
  minItems: 1,
  maxItems: ENDPOINTS_MAX,
  description: 'a password is masked in answers, and stays when its mask is sent back for the same address',
})
export type EndpointsDraft = Static<typeof EndpointsField>

/** The endpoints after a write. Errors by dotted path; none repeats anything of a URL. */
export function readEndpoints(
  draft: EndpointsDraft,
  stored: readonly PoolEndpoint[],
): Result<readonly PoolEndpoint[], FieldErrors> {
  const errors: Record<string, readonly string[]> = {}
  const endpoints: PoolEndpoint[] = []
  for (const [index, { url, weight, enabled }] of draft.entries()) {
    const exit = readExit(url, stored)
    const isTwice = exit.ok && endpoints.some((other) => other.exit.key === exit.value.key)
    if (!exit.ok) errors[`endpoints.${index}.url`] = [exit.error]
    else if (isTwice) errors[`endpoints.${index}.url`] = ['is there already']
    else endpoints.push({ exit: exit.value, weight: weight ?? 1, enabled: enabled ?? true })
  }
  return Object.keys(errors).length > 0 ? err(errors) : ok(endpoints)
}

function readExit(url: string, stored: readonly PoolEndpoint[]): Result<Exit, string> {
  const parsed = parseExit(url)
  if (!parsed.ok) return parsed
  const exit = parsed.value
  const refusal = checkExitAtSave(exit)
  if (refusal !== undefined) return err(refusal.message)
  const kept = stored.find((endpoint) => isMaskOf(exit, endpoint.exit))
  if (kept !== undefined) return ok(kept.exit)
  return holdsMask(exit) ? err('needs its user name and password anew, since it is another address') : ok(exit)
}

/** A login belongs to the address that it was given for. */
function isMaskOf(sent: Exit, stored: Exit): boolean {
  if (sent.kind !== stored.kind || sent.where !== stored.where || sent.login === null || stored.login === null)
    return false
  const mask = maskedLogin(stored.login)
  return sent.login.user === mask.user && sent.login.password.reveal() === mask.password
}

function holdsMask({ login }: Exit): boolean {
  return login !== null && [login.user, login.password.reveal()].some((part) => /^(••••|.{4}….{4})$/u.test(part))
}

interface MaskedLogin {
  readonly user: string
  readonly password: string
}

/** A login without a password is a token in the place of the user name. */
function maskedLogin({ user, password }: NonNullable<Exit['login']>): MaskedLogin {
  const secret = password.reveal()
  return secret === '' ? { user: maskSecret(user), password: '' } : { user, password: maskSecret(secret) }
}

/** As reads show it. */
export function shownUrl({ kind, where, login }: Exit): string {
  if (login === null) return `${kind}://${where}`
  const { user, password } = maskedLogin(login)
  return `${kind}://${userinfo(user)}${password === '' ? '' : `:${userinfo(password)}`}@${where}`
}

/** What a URL needs encoded is; the dots of a mask stay legible. */
function userinfo(part: string): string {
  return encodeURIComponent(part).replaceAll('%E2%80%A2', '•').replaceAll('%E2%80%A6', '…')
}

/** The exit without its login, for one whose login cannot be opened any more. */
export function withoutLogin({ kind, host, port }: Pick<Exit, 'kind' | 'host' | 'port'>): Exit {
  return exitAt(kind, host, port, null)
}
