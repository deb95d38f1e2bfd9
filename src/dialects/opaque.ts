/**
 * Vendor state in a client's history. A blob that goes back to a client of another dialect is wrapped in an envelope that names
 * its maker, so that on replay it returns to that maker alone and a foreign one is recognised.
 */
import { asString, isObject } from '../core/json.ts'
import type { Opaque } from './neutral.ts'

const PREFIX = 'gw1:'

export function sealOpaque(opaque: Opaque): string {
  const { vendor, kind, blob } = opaque
  return PREFIX + Buffer.from(JSON.stringify({ vendor, kind, blob })).toString('base64url')
}

/** Undefined when `text` is no envelope of ours: then it is the client's dialect's own state. */
export function openOpaque(text: string): Opaque | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  const value = parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString('utf8'))
  if (!isObject(value)) return undefined
  const vendor = asString(value['vendor'])
  const blob = asString(value['blob'])
  const kind = value['kind']
  if (vendor === undefined || blob === undefined) return undefined
  return kind === 'signature' || kind === 'redacted' || kind === 'encrypted' ? { vendor, kind, blob } : undefined
}

/**
 * State as `vendor` may have it back: out of its envelope when that names this vendor, as it is when it has none. Undefined for what
 * another vendor made, for an envelope around nothing, and for state of another kind than its place is for.
 */
export function unsealedFor(vendor: string, text: string, kind: Opaque['kind']): string | undefined {
  const opaque = openOpaque(text)
  if (opaque === undefined) return text
  const isOwn = opaque.vendor === vendor && opaque.kind === kind && opaque.blob !== ''
  return isOwn ? opaque.blob : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a forged or damaged envelope counts as none
  }
}
