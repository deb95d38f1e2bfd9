/** Ids for what providers gave none. */
import type { Random } from '../core/random.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_CHARACTERS = 24

/** The id of a tool call that came without one. */
export function newCallId(random: Random): string {
  return `call_${alphanumerics(random.bytes(ID_CHARACTERS))}`
}

/** One letter or digit for each byte. */
export function alphanumerics(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += ALPHABET.charAt(byte % ALPHABET.length)
  return text
}
