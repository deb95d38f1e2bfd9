/**
 * Messages as hosts other than its maker take them, by their quirks: edits of a body, whether a client wrote it or this program.
 * What a host does not know is left out and named; what would change the answer is refused.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html and
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude (read 2026-11-21)
 */
import type { Quirks } from '../../catalog/provider.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { asArray, type Json } from '../../core/json.ts'
import {
  bufferOf,
  memberOf,
  reshape,
  scanArrayAt,
  scanObjectAt,
  textOf,
  valueOf,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'
import { matchesPattern } from '../../core/model-pattern.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { HostEdits } from '../dialect.ts'
import { bodyGoesOn, keepsThreads, lostThread, THREAD } from './message-thread.ts'
import { HOSTED } from './tools.ts'

const BETAS = 'anthropic-beta'
const BETAS_MEMBER = 'anthropic_beta'

/**
 * `headers` are those that go on to the host. Failures: `unsupported`, and `unknown_route` for a thread that the host does not keep.
 */
export function hostEdits(body: ScannedObject, quirks: Quirks, headers: Headers): Result<HostEdits, Failure> {
  const refused = (quirks.refusedFields ?? []).find((name) => memberOf(body, name) !== undefined)
  if (refused !== undefined) return err(unsupported(refused, 'this host does not know it'))
  const threads = keepsThreads(quirks)
  if (!threads && bodyGoesOn(body)) return err(lostThread())
  const tools = toolEdits(body, quirks)
  if (!tools.ok) return tools
  const betas = betaEdits(body, quirks, headers)
  const stripped = (quirks.stripFields ?? []).filter((name) => memberOf(body, name) !== undefined)
  const removed = new Set([
    ...stripped,
    ...pathFields(quirks),
    ...(threads ? [] : [THREAD]),
    ...(betas.member === undefined ? [] : [BETAS_MEMBER]),
  ])
  const added = [...missingFields(body, quirks), ...(betas.member === undefined ? [] : [betas.member])]
  return ok({
    splices: [...reshape(body, removed, added), ...tools.value.splices],
    dropped: [...stripped, ...tools.value.dropped, ...betas.dropped],
    headers: betas.headers,
  })
}

/** What the path says in place of the body. */
function pathFields({ modelInPath, streamInPath }: Quirks): readonly string[] {
  return [...(modelInPath === true ? ['model'] : []), ...(streamInPath === true ? ['stream'] : [])]
}

type Added = readonly [name: string, json: string]

function missingFields(body: ScannedObject, { bodyFields = {} }: Quirks): readonly Added[] {
  return Object.entries(bodyFields).flatMap(([name, value]): readonly Added[] =>
    memberOf(body, name) === undefined ? [[name, JSON.stringify(value)]] : [],
  )
}

interface BetaEdits {
  readonly member: Added | undefined
  readonly headers: HostEdits['headers']
  readonly dropped: readonly string[]
}

/** A beta that the host does not know makes it refuse the whole request. */
function betaEdits(body: ScannedObject, quirks: Quirks, headers: Headers): BetaEdits {
  const { betasInBody, betasAllowed } = quirks
  if (betasInBody !== true && betasAllowed === undefined) return { member: undefined, headers: [], dropped: [] }
  const asked = [...namesIn(headers.get(BETAS)), ...textsIn(valueOf(body, BETAS_MEMBER))]
  const isKnown = (beta: string): boolean => betasAllowed?.some((pattern) => matchesPattern(pattern, beta)) ?? true
  const known = [...new Set(asked.filter(isKnown))]
  const dropped = asked.every(isKnown) ? [] : [BETAS]
  const header = betasInBody === true || known.length === 0 ? undefined : known.join(',')
  const member: Added | undefined =
    betasInBody === true && known.length > 0 ? [BETAS_MEMBER, JSON.stringify(known)] : undefined
  return { member, headers: [[BETAS, header]], dropped }
}

function namesIn(header: string | null): readonly string[] {
  return (header ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

function textsIn(value: unknown): readonly string[] {
  return (asArray(value as Json | undefined) ?? []).filter((one) => typeof one === 'string')
}

type ToolEdits = Pick<HostEdits, 'splices' | 'dropped'>

const NO_TOOL_EDITS: ToolEdits = { splices: [], dropped: [] }

/** Failure: `unsupported` for a tool that the maker runs and this host does not. */
function toolEdits(body: ScannedObject, quirks: Quirks): Result<ToolEdits, Failure> {
  const member = memberOf(body, 'tools')
  if (member === undefined || (quirks.toolFields === undefined && quirks.hostedTools === undefined))
    return ok(NO_TOOL_EDITS)
  const array = scanArrayAt(body.bytes, member.valueStart)
  if (!array.ok) return ok(NO_TOOL_EDITS)
  const splices: Splice[] = []
  const dropped: string[] = []
  for (const [index, { start }] of array.value.elements.entries()) {
    const tool = scanObjectAt(body.bytes, start)
    if (!tool.ok) continue
    const type = valueOf(tool.value, 'type')
    if (typeof type === 'string' && type !== 'custom') {
      if (!runs(quirks, type)) return err(unsupported(`tools.${index}`, `this host does not run tools of type ${type}`))
      continue
    }
    const unknown = unknownMembers(tool.value, quirks)
    splices.push(...reshape(tool.value, unknown))
    dropped.push(...[...unknown].map((name) => `tools.${name}`))
  }
  return ok({ splices, dropped: [...new Set(dropped)] })
}

/** Tools that the client runs are everywhere what they are at the maker's. */
function runs({ hostedTools }: Quirks, type: string): boolean {
  return !HOSTED.test(type) || (hostedTools?.some((pattern) => matchesPattern(pattern, type)) ?? true)
}

function unknownMembers({ members }: ScannedObject, { toolFields }: Quirks): ReadonlySet<string> {
  if (toolFields === undefined) return new Set()
  return new Set(members.flatMap(({ name }) => (toolFields.includes(name) ? [] : [name])))
}

function unsupported(param: string, claim: string): Failure {
  return failure('unsupported', `${param}: ${claim}.`, { param })
}

const URL_QUICK = Buffer.from('"url"')
/** Inside a JSON string its quotes would be escaped, so this is a member of a block. */
const URL_SOURCE = /"type"\s*:\s*"url"/

/** Whether the body has media by address for a host that takes none so: they have to be fetched, and the body rewritten. */
export function holdsUnreadable({ bytes, open, close }: ScannedObject, { noUrlMedia }: Quirks): boolean {
  if (noUrlMedia !== true || !bufferOf(bytes).includes(URL_QUICK)) return false
  return URL_SOURCE.test(textOf(bytes, open, close))
}
