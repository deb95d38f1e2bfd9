/** What tests of the requests that go to providers ask, and the parts that they are made of. */
import type { ModelCapabilities } from '../../../src/catalog/provider.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { bedrockConverse } from '../../../src/dialects/bedrock-converse/index.ts'
import type { EncodedRequest, TargetContext } from '../../../src/dialects/dialect.ts'
import type { ChatRequest, Message, Part } from '../../../src/dialects/neutral.ts'
import { CAPABLE, targetContext } from '../samples/sample.ts'
import { converse } from '../samples/bedrock-converse.ts'
import { REQUEST } from '../samples/wire.ts'

export const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
export const NOVA = 'us.amazon.nova-2-lite-v1:0'
export const LLAMA = 'us.meta.llama4-maverick-17b-instruct-v1:0'
const { reasoning: _, ...PLAIN } = REQUEST

export interface Asked extends Partial<ChatRequest> {
  readonly to?: string
  readonly capabilities?: Partial<ModelCapabilities>
  readonly quirks?: TargetContext['quirks']
}

export function encode({ to = CLAUDE, capabilities = {}, quirks = {}, ...asked }: Asked) {
  const target = targetContext(converse.upstream, {
    model: to,
    quirks,
    capabilities: { ...CAPABLE, thinking: 'budget', ...capabilities },
  })
  return bedrockConverse.encodeRequest({ ...PLAIN, ...asked }, target)
}

export function sent(asked: Asked): EncodedRequest {
  const encoded = encode(asked)
  if (!encoded.ok) throw new Error(encoded.error.message)
  return encoded.value
}

export function refusal(asked: Asked): string | undefined {
  const encoded = encode(asked)
  return encoded.ok ? undefined : encoded.error.param
}

export const bodyOf = (asked: Asked): JsonObject => sent(asked).body
export const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
export const assistant = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })
export const text = (words: string) => ({ type: 'text' as const, text: words })
export const call = (id: string, name = 'f', argumentsText = '{}') =>
  ({ type: 'tool-call', id, name, kind: 'function', argumentsText }) as const

export const result = (callId: string, words = 'done', isError = false) =>
  ({ type: 'tool-result', callId, parts: words === '' ? [] : [text(words)], isError }) as const

export const tool = (name = 'f', more: object = {}) => ({
  kind: 'function' as const,
  name,
  schema: { type: 'object' },
  ...more,
})

export const messages = (asked: Asked) => bodyOf(asked)['messages']
export const content = (asked: Asked, turn = 0) => (messages(asked) as readonly { content: unknown }[])[turn]?.content
