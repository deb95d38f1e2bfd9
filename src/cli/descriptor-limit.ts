import { readFileSync } from 'node:fs'

/** Every stream takes two, and the databases, the log and the runtime need theirs. */
const DESCRIPTORS_PER_STREAM = 2
const DESCRIPTORS_RESERVED = 256
/** Below this a busy afternoon is enough to run out. */
export const DESCRIPTORS_SUGGESTED = 8_192

/** How many files and sockets this process may have open; undefined where the system does not say. */
export function descriptorLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined // not Linux, or /proc is hidden: the limit is merely not checked
  }
}

export function streamsWithin(descriptors: number): number {
  return Math.max(0, Math.floor((descriptors - DESCRIPTORS_RESERVED) / DESCRIPTORS_PER_STREAM))
}

export function fewDescriptors(limit: number | undefined): string | undefined {
  if (limit === undefined || limit >= DESCRIPTORS_SUGGESTED) return undefined
  return `only ${limit} files and sockets may be open, enough for ${streamsWithin(limit)} streams (raise LimitNOFILE)`
}
