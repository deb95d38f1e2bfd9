/**
 * A host that speaks Chat Completions as it should, except for the faults that are switched on. It answers by what it is asked,
 * as a model would: in words, by calling the tools that it is offered, from the picture that it is shown.
 */
import { type Play, type PlayedRequest, playProvider, type Provider, type Stage } from './provider.ts'

export const FAULTS = [
  /** Refuses with 400. */
  'refuses max_completion_tokens',
  'refuses max_tokens',
  'refuses stream_options',
  'refuses developer',
  'refuses system',
  'refuses tool_choice',
  'refuses parallel_tool_calls',
  'refuses json_schema',
  'refuses stop',
  'refuses images',
  'refuses tools',
  /** Answers, but otherwise than it should. */
  'ignores system',
  'ignores tools',
  'ignores stop',
  'ignores json_schema',
  'ignores stream',
  'ignores tool results',
  'serves any model',
  'counts nothing',
  'counts no streams',
  'thinks aloud',
  'says nothing',
  'ends without finish',
  'spreads over choices',
  'cuts tool names',
  'glues calls',
  'calls once',
  'breaks arguments',
  'calls strangers',
] as const
export type Fault = (typeof FAULTS)[number]

export const GOOD_MODEL = 'steady-1'

export interface FaultyProvider {
  readonly played: Provider
  /** Its faults from now on. */
  have(...faults: readonly Fault[]): void
}

/** `models`: what it lists. */
export function playFaultyProvider(models: readonly string[] = [GOOD_MODEL]): FaultyProvider {
  const played = playProvider()
  let faults: ReadonlySet<Fault> = new Set()
  played.otherwise((stage) => answer(stage, new Host(faults, models)))
  return { played, have: (...some) => void (faults = new Set(some)) }
}

interface ChatBody {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Part[] | null }[]
  readonly stream?: boolean
  readonly stop?: readonly string[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly response_format?: { readonly type: string }
}

interface Part {
  readonly type: string
  readonly text?: string
}

interface Call {
  readonly name: string
  readonly args: string
}

const JSON_TYPE = { 'content-type': 'application/json' }
const NOT_HERE = JSON.stringify({ error: { message: 'There is nothing at this address' } })
const USAGE = { prompt_tokens: 20, completion_tokens: 6, total_tokens: 26 }
const FIELDS = [
  'max_completion_tokens',
  'max_tokens',
  'stream_options',
  'tool_choice',
  'parallel_tool_calls',
  'stop',
  'tools',
] as const

async function answer(stage: Stage, host: Host): Promise<void> {
  const { request } = stage
  if (request.path.endsWith('/models')) return stage.reply(200, JSON_TYPE, host.list())
  if (!request.path.endsWith('/chat/completions')) return stage.reply(404, JSON_TYPE, NOT_HERE)
  const body = request.json<ChatBody>()
  const refused = host.refusal(request, body)
  if (refused !== undefined) return stage.reply(refused.status, JSON_TYPE, refused.body)
  if (body.stream === true && !host.has('ignores stream')) return streamed(stage, host.chunks(body))
  stage.reply(200, JSON_TYPE, host.reply(body))
}

function streamed(stage: Stage, chunks: readonly string[]): void {
  stage.head(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks) stage.write(`data: ${chunk}\n\n`)
  stage.end()
}

class Host {
  readonly #faults: ReadonlySet<Fault>
  readonly #models: readonly string[]

  constructor(faults: ReadonlySet<Fault>, models: readonly string[]) {
    this.#faults = faults
    this.#models = models
  }

  has(fault: Fault): boolean {
    return this.#faults.has(fault)
  }

  list(): string {
    return JSON.stringify({ object: 'list', data: this.#models.map((id) => ({ id, object: 'model' })) })
  }

  refusal({ text }: PlayedRequest, body: ChatBody): { readonly status: number; readonly body: string } | undefined {
    if (!this.has('serves any model') && !this.#models.includes(body.model))
      return refused(404, `The model ${body.model} does not exist`, 'model_not_found')
    const field = FIELDS.find((name) => this.#faults.has(`refuses ${name}`) && name in body)
    if (field !== undefined) return refused(400, `Unknown field: ${field}`, 'unknown_parameter', field)
    const role = (['developer', 'system'] as const).find(
      (name) => this.#faults.has(`refuses ${name}`) && body.messages.some((message) => message.role === name),
    )
    if (role !== undefined) return refused(400, `Unknown role: ${role}`, 'invalid_value', 'messages')
    if (this.has('refuses json_schema') && body.response_format?.type === 'json_schema')
      return refused(400, 'response_format json_schema is not supported', 'invalid_value', 'response_format')
    const hasImage = text().includes('"image_url"')
    return this.has('refuses images') && hasImage
      ? refused(400, 'Images are not supported', 'invalid_value')
      : undefined
  }

  reply(body: ChatBody): string {
    const calls = this.#calls(body)
    const content = calls.length > 0 ? null : this.#words(body)
    const shown = this.has('spreads over choices') ? [] : calls
    const message = { role: 'assistant', content, ...(shown.length === 0 ? {} : { tool_calls: shown.map(wireCall) }) }
    const first = { index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }
    const spread = calls.slice(shown.length).map((call, at) => ({
      index: at + 1,
      message: { role: 'assistant', content: null, tool_calls: [wireCall(call, at)] },
      finish_reason: 'tool_calls',
    }))
    const usage = this.has('counts nothing') ? {} : { usage: USAGE }
    return JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: body.model,
      choices: [first, ...spread],
      ...usage,
    })
  }

  chunks(body: ChatBody): readonly string[] {
    const calls = this.#calls(body)
    const deltas = calls.length > 0 ? calls.flatMap((call, at) => this.#callDeltas(call, at)) : this.#textDeltas(body)
    const chunk = (choices: unknown[], more: object = {}) =>
      JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: body.model, choices, ...more })
    const said = deltas.map(({ index, delta }) => chunk([{ index, delta, finish_reason: null }]))
    if (this.has('ends without finish')) return said
    const finish = chunk([{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }])
    const asked = 'stream_options' in body && !this.has('counts no streams') && !this.has('counts nothing')
    const last = this.has('refuses stream_options') || asked ? [chunk([], { usage: USAGE })] : []
    return [...said, finish, ...last, '[DONE]']
  }

  #textDeltas(body: ChatBody) {
    const pieces = this.#words(body).match(/.{1,8}/gs) ?? []
    return pieces.map((content) => ({ index: 0, delta: { role: 'assistant', content } }))
  }

  #callDeltas({ name, args }: Call, at: number): readonly { readonly index: number; readonly delta: object }[] {
    const choice = this.has('spreads over choices') ? at : 0
    const index = this.has('glues calls') ? 0 : at
    const id = this.has('glues calls') && at > 0 ? {} : { id: `call_${at}`, type: 'function' }
    const names = this.has('cuts tool names') ? [name.slice(0, 4), name.slice(4)] : [name]
    const [first = '', ...rest] = names
    const piece = (part: object) => ({ index: choice, delta: { tool_calls: [{ index, ...part }] } })
    const opening = 'id' in id ? [piece({ ...id, function: { name: first, arguments: '' } })] : []
    return [
      ...opening,
      ...rest.map((more) => piece({ function: { name: more, arguments: '' } })),
      piece({ function: { arguments: args } }),
    ]
  }

  #words(body: ChatBody): string {
    if (this.has('says nothing')) return ''
    const thought = this.has('thinks aloud') ? '<think>What do they want?</think>\n\n' : ''
    return thought + this.#plainWords(body)
  }

  #plainWords(body: ChatBody): string {
    const all = textsOf(body)
    if (!this.has('ignores system') && all.includes('the single word pelican')) return 'pelican'
    if (all.includes('this square')) return 'Red.'
    if (all.includes('digits from 1 to 9')) return this.has('ignores stop') ? '1 2 3 4 5 6 7 8 9' : '1 2 3 4 '
    if (all.includes('Ada is 36')) return this.has('ignores json_schema') ? asMarkdown(PERSON, body) : PERSON
    const result = body.messages.find(({ role }) => role === 'tool')
    if (result !== undefined && !this.has('ignores tool results')) return 'It is 17 degrees in Paris.'
    return 'ready'
  }

  #calls({ tools = [], messages }: ChatBody): readonly Call[] {
    const [tool] = tools
    const isAnswered = messages.some(({ role }) => role === 'tool')
    if (tool === undefined || isAnswered || this.has('ignores tools')) return []
    const name = this.has('calls strangers') ? 'delete_everything' : tool.function.name
    if (tool.function.name === 'get_time') return [{ name, args: this.has('breaks arguments') ? '{' : '{}' }]
    const cities = textsOf({ messages }).includes('Tokyo') && !this.has('calls once') ? ['Paris', 'Tokyo'] : ['Paris']
    return cities.map((city) => ({
      name,
      args: this.has('breaks arguments') ? `{"city":"${city}` : JSON.stringify({ city }),
    }))
  }
}

const PERSON = '{"name":"Ada","age":36}'

/** Schemas are ignored, bare objects are not. */
function asMarkdown(text: string, { response_format }: ChatBody): string {
  return response_format?.type === 'json_schema' ? `\`\`\`json\n${text}\n\`\`\`` : text
}

function wireCall({ name, args }: Call, at: number) {
  return { id: `call_${at}`, type: 'function', function: { name, arguments: args } }
}

function textsOf({ messages }: Pick<ChatBody, 'messages'>): string {
  return messages
    .map(({ content }) =>
      Array.isArray(content) ? content.map(({ text = '' }: Part) => text).join(' ') : (content ?? ''),
    )
    .join('\n')
}

function refused(status: number, message: string, code: string, param: string | null = null) {
  return { status, body: JSON.stringify({ error: { message, type: 'invalid_request_error', code, param } }) }
}

export const LIMITED: Play = ({ reply }) =>
  reply(
    429,
    { ...JSON_TYPE, 'retry-after': '60' },
    JSON.stringify({ error: { message: 'Slow down', code: 'rate_limit_exceeded' } }),
  )
