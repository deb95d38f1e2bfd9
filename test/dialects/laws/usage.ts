/**
 * What clients are told of the tokens, figure by figure as it stands on the wire. A round trip alone would not notice an encoder
 * and a decoder that are wrong alike: so the figures here are written by hand, and what decoders read is held to them by the law
 * that a provider's answer arrives.
 */
import { expect, test } from 'bun:test'
import { isObject, type Json } from '../../../src/core/json.ts'
import { NO_USAGE, type Usage } from '../../../src/core/usage.ts'
import { unfoldReply } from '../../../src/dialects/answer/fold.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import type { ClientSample } from '../samples/sample.ts'
import { asJson, clientContext } from '../samples/wire.ts'
import { encodeAll, framesOf } from '../streams.ts'

/** No two of them, and no sum of any, are alike. */
export const COUNTED: Usage = {
  ...NO_USAGE,
  inputUncached: 50,
  cacheRead: 30,
  cacheWrite5m: 17,
  output: 40,
  reasoning: 25,
}

export function tokensAreTold({ client }: ClientSample): void {
  const { dialect, framing, counted, countedInStream = counted } = client
  const reply: ChatReply = { parts: [{ type: 'text', text: 'a' }], finish: { reason: 'stop' }, usage: COUNTED }

  test('every figure of a plain answer stands where its format has it', () => {
    expect(asJson(dialect.encodeReply(reply, clientContext()))).toMatchObject(counted)
  })

  test('every figure of a stream stands in one of its events', () => {
    const bytes = Buffer.from(encodeAll(dialect, unfoldReply(reply), clientContext()))
    const events = framesOf(framing, bytes).flatMap(({ data }) => (data.startsWith('{') ? [JSON.parse(data)] : []))
    expect(events.filter((event) => holds(event, countedInStream))).toHaveLength(1)
  })
}

/** Whether `value` has every member of `expected`, and may have more. */
function holds(value: Json | undefined, expected: Json): boolean {
  if (!isObject(expected)) return value === expected
  return isObject(value) && Object.entries(expected).every(([name, member]) => holds(value[name], member ?? null))
}
