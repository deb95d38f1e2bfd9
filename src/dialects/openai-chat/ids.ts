import type { Random } from '../../core/random.ts'
import { alphanumerics } from '../tools/call-id.ts'

const ID_CHARACTERS = 24
/** https://docs.mistral.ai/capabilities/function_calling (read 2026-11-21): such hosts refuse any other length. */
const SHORT_ID_CHARACTERS = 9
const ID_LENGTH_MAX = 64
const LEGAL_ID = /^[\x21-\x7e]+$/
const LEGAL_SHORT_ID = /^[A-Za-z0-9]{9}$/

export function newCompletionId(random: Random): string {
  return `chatcmpl-${alphanumerics(random.bytes(ID_CHARACTERS))}`
}

/** The id as the host takes it: itself when legal, otherwise one that depends on it alone, so that prompt caches keep hitting. */
export function sentCallId(id: string, short: boolean): string {
  if (short) return LEGAL_SHORT_ID.test(id) ? id : derived(id, SHORT_ID_CHARACTERS)
  return id.length <= ID_LENGTH_MAX && LEGAL_ID.test(id) ? id : `call_${derived(id, ID_CHARACTERS)}`
}

function derived(id: string, length: number): string {
  return alphanumerics(new Bun.CryptoHasher('sha256').update(id).digest().subarray(0, length))
}
