/**
 * Signatures of thoughts. The vendor puts one on the part that follows the thought, mostly a call, and sometimes one on a part of
 * text or on an empty one behind it. In neutral form the first kind (`signature`) stands right before its call, the other
 * (`encrypted`) right behind its text, so that both go back to where they were.
 */
import type { Opaque } from '../neutral.ts'
import { openOpaque, sealOpaque } from '../opaque.ts'
import { HOME_VENDOR } from './wire.ts'

export type StateKind = 'signature' | 'encrypted'

export function openSignature(signature: string, kind: StateKind): Opaque {
  return openOpaque(plainSignature(signature)) ?? { vendor: HOME_VENDOR, kind, blob: signature }
}

/** The envelope that a signature is, else the signature. Envelopes are encoded twice: some clients keep signatures as bytes. */
export function plainSignature(signature: string): string {
  const decoded = Buffer.from(signature, 'base64').toString('latin1')
  return openOpaque(decoded) === undefined ? signature : decoded
}

/** What goes to a client; undefined when there is nothing that has to come back. */
export function sealSignature(opaque: Opaque | undefined): string | undefined {
  if (opaque?.vendor === HOME_VENDOR) return opaque.blob === '' ? undefined : opaque.blob
  const sealed = sealOpaque(opaque ?? { vendor: '', kind: 'signature', blob: '' })
  return Buffer.from(sealed, 'latin1').toString('base64')
}
