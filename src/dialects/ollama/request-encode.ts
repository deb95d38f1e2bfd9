import type { Failure } from '../../core/failure.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import { noteBeyondBasics } from '../beyond-basics.ts'
import type { EncodedRequest, TargetContext } from '../dialect.ts'
import { effortOf, nearestEffort } from '../effort.ts'
import { encodedRequest } from '../encoded-request.ts'
import { functionTools, isForced } from '../tools/function-tools.ts'
import { LossList, type Losses } from '../losses.ts'
import type { ChatRequest, OutputFormat, Sampling, ToolChoice } from '../neutral.ts'
import { type NameRule, sentToolNames } from '../tools/tool-names.ts'
import { encodeMessages } from './messages-encode.ts'
import { encodeOptions } from './options-encode.ts'

const NAME_RULE: NameRule = { illegal: /[^a-zA-Z0-9_-]/, lengthMax: 64 }
/** The efforts that have a word; a weaker or stronger wish is rounded to one of them. */
const WORDS = ['low', 'medium', 'high'] as const

/**
 * Neutral → body for `/api/chat`. Failure: `unsupported` for what would change the answer. There is no field that forces a tool:
 * the list is narrowed to those that may be called, the model is asked in words, and `tool_choice` is listed as dropped.
 */
export function encodeRequest(request: ChatRequest, target: TargetContext): Result<EncodedRequest, Failure> {
  const losses = new LossList()
  const names = sentToolNames(request, NAME_RULE)
  noteBeyondBasics(request, losses)
  const tools = request.toolChoice?.type === 'none' ? [] : functionTools(request, names, losses)
  const hints = tools.length === 0 ? [] : toolHints(request.toolChoice, names, losses)
  const prompt = {
    messages: encodeMessages(request, hints, { target, names, losses }),
    ...(tools.length === 0 ? {} : { tools }),
  }
  const options = encodeOptions(request, prompt, target.capabilities, losses)
  if (request.tools.some(({ strict }) => strict === true)) losses.drop('strict')
  const body: JsonObject = {
    model: target.model,
    ...prompt,
    stream: request.stream,
    ...encodeFormat(request.output),
    ...encodeThink(request, target, losses),
    ...encodeOdds(request.sampling),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  }
  return encodedRequest(body, { request, sentNames: names, losses })
}

function toolHints(
  choice: ToolChoice | undefined,
  names: ReadonlyMap<string, string>,
  losses: Losses,
): readonly string[] {
  if (!isForced(choice)) return []
  losses.drop('tool_choice')
  return choice?.type === 'named'
    ? [`You must answer by calling the tool "${names.get(choice.name) ?? choice.name}".`]
    : ['You must answer by calling one of the tools.']
}

function encodeFormat(output: OutputFormat | undefined): { readonly format?: Json } {
  if (output === undefined || output.kind === 'text') return {}
  return { format: output.kind === 'json-object' ? 'json' : (output.schema ?? 'json') }
}

function encodeOdds({ logprobs }: Sampling): JsonObject {
  if (logprobs === undefined) return {}
  return logprobs === 0 ? { logprobs: true } : { logprobs: true, top_logprobs: logprobs }
}

/**
 * A model that cannot think answers a wish to with an error, one that can be told not to takes `false`, and only those that know
 * efforts take a word. https://docs.ollama.com/capabilities/thinking (read 2026-11-21)
 */
function encodeThink(
  { reasoning }: ChatRequest,
  { capabilities: { thinking, efforts } }: TargetContext,
  losses: Losses,
): { readonly think?: boolean | string } {
  if (reasoning === undefined) return {}
  const asked = effortOf(reasoning)
  if (asked === 'none') return { think: false }
  if (asked === undefined && reasoning.adaptive !== true) return {}
  if (thinking === 'none') {
    losses.drop('reasoning_effort')
    return {}
  }
  const takesWords = WORDS.every((word) => efforts.includes(word))
  return { think: asked === undefined || !takesWords ? true : (nearestEffort(asked, WORDS) ?? true) }
}
