import { NO_USAGE, type Usage } from '../../core/usage.ts'
import type { ClientContext } from '../dialect.ts'

const CHARACTERS_PER_TOKEN = 4

/** What the client is shown: the provider's figures, else an estimate by what was said (`characters`). */
export function shownUsage(usage: Usage | undefined, context: ClientContext, characters: number): Usage {
  if (usage !== undefined && !usage.estimated) return usage
  const output = Math.ceil(characters / CHARACTERS_PER_TOKEN)
  return { ...NO_USAGE, inputUncached: context.inputTokensEstimate, output, estimated: true }
}
