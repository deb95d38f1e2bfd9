/** Answers in a form that the model cannot be bound to: by a tool whose call is the answer, else in words. */
import type { ModelFacts } from '../../catalog/provider.ts'
import type { Failure } from '../../core/failure.ts'
import { ok, type Result } from '../../core/result.ts'
import { changed, type FittedRequest, withSystem } from './fitted.ts'
import type { ChatRequest, OutputFormat, Tool } from '../neutral.ts'

const OBJECT_HINT = 'Answer with one valid JSON object and nothing else.'
const RESPONSE_FORMAT = 'response_format'

export function fitAnswerFormat(fitted: FittedRequest, facts: ModelFacts): Result<FittedRequest, Failure> {
  const { output } = fitted.request
  if (output?.kind === 'json-object' && !facts.jsonMode) return ok(inWords(fitted, output, OBJECT_HINT))
  if (output?.kind !== 'json-schema' || facts.jsonSchema) return ok(fitted)
  const hint = schemaHint(output)
  if (facts.jsonMode) return ok(asObject(fitted, output, hint))
  return ok(byTool(fitted, output, facts) ?? inWords(fitted, output, hint))
}

/** Bound to be an object, and told of which shape. */
function asObject(fitted: FittedRequest, { verbosity }: OutputFormat, hint: string): FittedRequest {
  const output: OutputFormat = { kind: 'json-object', ...(verbosity === undefined ? {} : { verbosity }) }
  return { ...fitted, request: { ...withSystem(fitted.request, hint), output } }
}

function schemaHint({ schema }: OutputFormat): string {
  return `${OBJECT_HINT} It must match this JSON schema:\n${JSON.stringify(schema ?? {})}`
}

function inWords(fitted: FittedRequest, output: OutputFormat, hint: string): FittedRequest {
  return { ...fitted, request: withSystem(unbound(fitted.request, output), hint) }
}

/** How much the client wants to read is still to be said. */
function unbound({ output: _format, ...request }: ChatRequest, { verbosity }: OutputFormat): ChatRequest {
  return verbosity === undefined ? request : { ...request, output: { kind: 'text', verbosity } }
}

/** Undefined where the model cannot be made to call it. */
function byTool(fitted: FittedRequest, output: OutputFormat, facts: ModelFacts): FittedRequest | undefined {
  const { request } = fitted
  const modes = facts.toolChoiceModes
  if (!facts.tools || !(modes.includes('required') || modes.includes('named'))) return undefined
  if (request.toolChoice !== undefined && mustCall(request)) {
    // The client makes the model call a tool of its own, so this turn has no answer to form.
    return changed({ ...fitted, request: unbound(request, output) }, {}, RESPONSE_FORMAT)
  }
  const isFree = request.tools.length > 0 && request.toolChoice?.type !== 'none'
  if (isFree && !modes.includes('required')) return undefined
  const tool = answerTool(request.tools, output)
  const asked: ChatRequest = {
    ...unbound(request, output),
    tools: [...request.tools, tool],
    toolChoice: isFree ? { type: 'required' } : { type: 'named', name: tool.name },
    parallelToolCalls: false,
  }
  return { ...fitted, request: asked, answerTool: tool.name }
}

function mustCall({ toolChoice }: ChatRequest): boolean {
  const mode = toolChoice?.type === 'allowed' ? toolChoice.mode : toolChoice?.type
  return mode === 'required' || mode === 'named'
}

const ANSWER_TOOL = 'json'

/** Its name is one that the client has no tool of. */
function answerTool(tools: readonly Tool[], { name, description, schema }: OutputFormat): Tool {
  const taken = new Set(tools.map((tool) => tool.name))
  const candidates = [ANSWER_TOOL, ...tools.map((_, index) => `${ANSWER_TOOL}_${index + 1}`)]
  return {
    kind: 'function',
    name: candidates.find((one) => !taken.has(one)) ?? ANSWER_TOOL,
    description: description ?? `Gives the final answer${name === undefined ? '' : ` (${name})`}. Call it to answer.`,
    schema: schema ?? { type: 'object' },
  }
}
