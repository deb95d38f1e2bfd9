/** The turns and what stands before them, as the model takes them. */
import type { ModelFacts } from '../../catalog/provider.ts'
import type { Failure } from '../../core/failure.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Media, Message, Part, TextPart } from '../neutral.ts'
import { changed, type FittedRequest, unsupported } from './fitted.ts'

/** Documents that are text can be said in words; only files need eyes for them. */
export function fitDocuments(fitted: FittedRequest, { documents }: ModelFacts): Result<FittedRequest, Failure> {
  const at = documents ? -1 : fitted.request.messages.findIndex(({ parts }) => parts.some(holdsFile))
  return at === -1 ? ok(fitted) : unsupported(`messages.${at}`, 'this model takes no documents')
}

function holdsFile(part: Part): boolean {
  if (part.type === 'tool-result') return part.parts.some(holdsFile)
  if (part.type !== 'document') return false
  return part.source.kind === 'file' || !isText(part.source)
}

function isText(source: Exclude<Media, { kind: 'file' }>): boolean {
  return source.kind === 'text' || (source.mime?.startsWith('text/') ?? false)
}

/** Marks are for hosts that cache where they are told to. */
export function fitCacheMarks(fitted: FittedRequest, { promptCache }: ModelFacts): Result<FittedRequest, Failure> {
  if (promptCache === undefined || promptCache === 'explicit') return ok(fitted)
  const { system, messages, tools } = fitted.request
  const isMarked = [...system, ...tools, ...messages.flatMap(({ parts }) => parts)].some(
    (part) => 'cache' in part && part.cache !== undefined,
  )
  if (!isMarked) return ok(fitted)
  const bare = {
    system: system.map(unmarked),
    tools: tools.map(unmarked),
    messages: messages.map((message) => ({ ...message, parts: message.parts.map(unmarked) })),
  }
  return ok(changed(fitted, bare, 'cache_control'))
}

function unmarked<T extends object>(part: T): T {
  if (!('cache' in part)) return part
  const { cache: _mark, ...bare } = part
  // Only what every such part may lack is gone.
  return bare as T
}

/** Instructions open the conversation where there is no role for them. */
export function fitSystem(fitted: FittedRequest, { systemRole }: ModelFacts): Result<FittedRequest, Failure> {
  const { system, messages } = fitted.request
  if (systemRole) return ok(fitted)
  const asUser = messages.map((message): Message =>
    message.role === 'system' ? { ...message, role: 'user' } : message,
  )
  return ok(changed(fitted, { system: [], messages: system.length === 0 ? asUser : opened(system, asUser) }))
}

function opened(system: readonly TextPart[], messages: readonly Message[]): readonly Message[] {
  const [first, ...others] = messages
  const opensWithResult = first?.parts[0]?.type === 'tool-result'
  if (first?.role !== 'user' || opensWithResult) return [{ role: 'user', parts: system }, ...messages]
  return [{ ...first, parts: [...system, ...first.parts] }, ...others]
}
