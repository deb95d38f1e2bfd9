/** Names and ids that a target accepts, derived from the client's in the same way every time, so that prompt caches keep hitting. */
import type { ChatRequest } from '../neutral.ts'

export interface NameRule {
  /** Matches one character that the target does not allow. */
  readonly illegal: RegExp
  readonly lengthMax: number
}

const PREFIX_LENGTH_MAX = 55
const HASH_LENGTH = 8

/** Client's name → name as sent, one to one, for every tool that the request names anywhere. */
export function sentToolNames(request: ChatRequest, rule: NameRule): ReadonlyMap<string, string> {
  const sent = new Map<string, string>()
  const taken = new Set<string>()
  const names = namesIn(request)
  // Names that may stay as they are come first, so that a derived name never takes the place of a genuine one.
  for (const name of names) if (isLegal(name, rule)) take(name, name)
  for (const name of names) if (!sent.has(name)) take(name, derivedName(name, rule, taken))
  return sent

  function take(name: string, as: string): void {
    sent.set(name, as)
    taken.add(as)
  }
}

/** Name as sent → client's name, where they differ. */
export function restoredToolNames(sent: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const restored = new Map<string, string>()
  for (const [name, as] of sent) if (name !== as) restored.set(as, name)
  return restored
}

/** `length` hexadecimal characters that depend on `text` alone. */
export function shortHash(text: string, length: number): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, length)
}

function namesIn(request: ChatRequest): ReadonlySet<string> {
  const names = new Set<string>()
  for (const tool of request.tools) if (tool.kind === 'function' || tool.kind === 'custom') names.add(tool.name)
  for (const { parts } of request.messages)
    for (const part of parts) if (part.type === 'tool-call') names.add(part.name)
  return names
}

function isLegal(name: string, rule: NameRule): boolean {
  return name !== '' && name.length <= rule.lengthMax && name.search(rule.illegal) < 0
}

function derivedName(name: string, rule: NameRule, taken: ReadonlySet<string>): string {
  const legal = name.replaceAll(new RegExp(rule.illegal.source, 'g'), '_')
  if (legal !== '' && legal.length <= rule.lengthMax && !taken.has(legal)) return legal
  const prefixLength = Math.min(PREFIX_LENGTH_MAX, rule.lengthMax - HASH_LENGTH - 1)
  const prefix = legal.slice(0, prefixLength)
  for (let attempt = 0; ; attempt++) {
    const salt = attempt === 0 ? name : `${name}#${attempt}`
    const candidate = `${prefix}_${shortHash(salt, HASH_LENGTH)}`
    if (!taken.has(candidate)) return candidate
  }
}
