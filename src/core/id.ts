import type { Random } from './random.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const CHARACTERS = 26

export type IdPrefix =
  | 'usr'
  | 'ses'
  | 'key'
  | 'pln'
  | 'chn'
  | 'stp'
  | 'ali'
  | 'acc'
  | 'cpr'
  | 'bud'
  | 'quo'
  | 'ppl'
  | 'pov'
  | 'grd'
  | 'skl'
  | 'evt'
  | 'req'
  | 'att'

/** Every pair of characters: ids are made for each request, two characters at a time. */
const PAIRS: readonly string[] = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second))

/** `<prefix>_` and 26 base-32 characters: 130 random bits, never sequential. */
export function newId(prefix: IdPrefix, random: Random): string {
  const bytes = random.bytes(CHARACTERS)
  let id = `${prefix}_`
  for (let at = 0; at < CHARACTERS; at += 2) id += PAIRS[((bytes[at] ?? 0) & 31) * 32 + ((bytes[at + 1] ?? 0) & 31)]
  return id
}
