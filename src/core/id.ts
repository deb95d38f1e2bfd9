import type { Random } from './random.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const CHARACTERS = 26

export type IdPrefix =
  | 'usr'
  | 'ses'
  | 'key'
  | 'pln'
  | 'chn'
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

/** `<prefix>_` and 26 base-32 characters: 130 random bits, never sequential. */
export function newId(prefix: IdPrefix, random: Random): string {
  const bytes = random.bytes(CHARACTERS)
  let id = `${prefix}_`
  for (const byte of bytes) id += ALPHABET.charAt(byte & 31)
  return id
}
