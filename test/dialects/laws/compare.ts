/** What the laws compare of replies. */
import type { Usage } from '../../../src/core/usage.ts'
import { NO_USAGE } from '../../../src/core/usage.ts'
import type { ChatReply } from '../../../src/dialects/neutral.ts'
import type { Sample } from '../samples/sample.ts'

export const USAGE: Usage = { ...NO_USAGE, inputUncached: 10, output: 2 }

/** What the wire form carries of a reply, without the names that each side gives it. */
export function comparable(sample: Sample, reply: ChatReply): object {
  const { parts, finish, usage } = sample.carried({ ...reply, parts: reply.parts.map(withArguments) })
  return { parts, reason: finish.reason, usage: figures(usage) }
}

/** No arguments and an empty object mean the same. */
function withArguments(part: ChatReply['parts'][number]): ChatReply['parts'][number] {
  return part.type === 'tool-call' && part.argumentsText === '' ? { ...part, argumentsText: '{}' } : part
}

/** How long a cache entry lives, and what is neither input nor output, has no place in every format. */
export function figures(usage: Usage): object {
  const { inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = usage
  return { inputUncached, cacheRead, cacheWrite: cacheWrite5m + cacheWrite1h, output, reasoning }
}
