/** Ids for what providers gave none. */
import type { Random } from '../../core/random.ts'
import { shortHash } from './tool-names.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_CHARACTERS = 24
const ID_LENGTH_MAX = 64
const LEGAL_ID = /^[\x21-\x7e]+$/

/** The id of a tool call that came without one. */
export function newCallId(random: Random): string {
  return `call_${alphanumerics(random.bytes(ID_CHARACTERS))}`
}

/** The id as a provider takes it: itself when it is short and plain, otherwise one that depends on it alone. */
export function plainCallId(id: string): string {
  return id.length <= ID_LENGTH_MAX && LEGAL_ID.test(id) ? id : `call_${shortHash(id, ID_CHARACTERS)}`
}

/** One letter or digit for each byte. */
export function alphanumerics(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += ALPHABET.charAt(byte % ALPHABET.length)
  return text
}
