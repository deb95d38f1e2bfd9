/** Tools as the model can be given them, and made to call them. */
import type { ModelFacts } from '../../catalog/provider.ts'
import type { Failure } from '../../core/failure.ts'
import { ok, type Result } from '../../core/result.ts'
import type { ChatRequest } from '../neutral.ts'
import { changed, type FittedRequest, unsupported, withSystem } from './fitted.ts'

export function fitToolList(fitted: FittedRequest, { tools, toolsMax }: ModelFacts): Result<FittedRequest, Failure> {
  const { request } = fitted
  const count = request.tools.length
  if (count === 0) return ok(fitted)
  if (!tools) {
    const isIdle = request.toolChoice?.type === 'none' && !callsTools(request)
    return isIdle ? ok(changed(fitted, { tools: [] })) : unsupported('tools', 'this model calls no tools')
  }
  if (toolsMax !== undefined && count > toolsMax)
    return unsupported('tools', `this model takes at most ${toolsMax} tools`)
  return ok(fitted)
}

function callsTools({ messages }: ChatRequest): boolean {
  return messages.some(({ parts }) => parts.some(({ type }) => type === 'tool-call' || type === 'tool-result'))
}

const NO_CALLS = 'Answer without calling any tool.'

/** A tool that must be called can also be forced by being the only one. */
export function fitToolChoice(
  fitted: FittedRequest,
  { toolChoiceModes: modes }: ModelFacts,
): Result<FittedRequest, Failure> {
  const { request } = fitted
  const { toolChoice: choice, tools } = request
  if (choice === undefined || tools.length === 0) return ok(fitted)
  const mode = choice.type === 'allowed' ? choice.mode : choice.type
  if (modes.includes(mode)) return ok(fitted)
  const { toolChoice: _unsaid, ...unforced } = request
  if (mode === 'auto') return ok({ ...fitted, request: unforced })
  if (mode === 'none') return ok({ ...fitted, request: withoutTools(unforced) })
  if (choice.type !== 'named' || !modes.includes('required')) {
    return unsupported('toolChoice', 'this model cannot be made to call a tool')
  }
  const only = tools.filter(({ name }) => name === choice.name)
  return ok(changed(fitted, { tools: only, toolChoice: { type: 'required' } }))
}

/** Tools that the conversation has called stay, since hosts refuse calls of tools that are not there. */
function withoutTools(request: ChatRequest): ChatRequest {
  return callsTools(request) ? withSystem(request, NO_CALLS) : { ...request, tools: [] }
}

export function fitParallelTools(fitted: FittedRequest, { parallelTools }: ModelFacts): Result<FittedRequest, Failure> {
  const { parallelToolCalls, ...unsaid } = fitted.request
  if (parallelToolCalls === undefined || parallelTools) return ok(fitted)
  // That calls may be parallel is what happens anyway.
  const names = parallelToolCalls ? fitted.dropped : [...fitted.dropped, 'parallel_tool_calls']
  return ok({ ...fitted, request: unsaid, dropped: names })
}
