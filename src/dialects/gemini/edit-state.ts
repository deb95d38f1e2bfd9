/** Signatures in a conversation that passes through: put in another's place, or taken out with what cannot stand without them. */
import {
  elementsOf,
  memberOf,
  replaceValue,
  scanObjectAt,
  valueOf,
  type Member,
  type Range,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'
import { removals } from '../../core/json-removal.ts'
import type { StandingState } from '../dialect.ts'
import { plainSignature } from './state.ts'
import { SKIP_SIGNATURE } from './wire.ts'

interface ScannedPart extends ScannedObject {
  readonly range: Range
}

/**
 * A call keeps its place and gets the mark that stands for a signature; a thought, or an empty text, goes with its signature.
 * https://ai.google.dev/gemini-api/docs/thought-signatures (read 2026-11-21)
 */
export function editState(body: ScannedObject, standing: StandingState): readonly Splice[] {
  return objectsIn(body, 'contents').flatMap((content) => editParts(objectsIn(content, 'parts'), standing))
}

function editParts(parts: readonly ScannedPart[], standing: StandingState): readonly Splice[] {
  const edits: Splice[] = []
  const removed = new Set<number>()
  for (const [index, part] of parts.entries()) {
    const member = named(part, 'thoughtSignature', 'thought_signature')
    const signature = member && valueOf(part, member.name)
    if (member === undefined || typeof signature !== 'string' || signature === '') continue
    const standIn = standingFor(part, signature, standing)
    if (standIn === undefined) removed.add(index)
    else if (standIn !== signature) edits.push(replaceValue(member, JSON.stringify(standIn)))
  }
  return [
    ...edits,
    ...removals(
      parts.map(({ range }) => range),
      (index) => removed.has(index),
    ),
  ]
}

/** Undefined for a part that has to go. */
function standingFor(part: ScannedObject, signature: string, standing: StandingState): string | undefined {
  const isCall = named(part, 'functionCall', 'function_call') !== undefined
  const isThought = valueOf(part, 'thought') === true
  const own = standing(plainSignature(signature), isCall || isThought ? 'signature' : 'encrypted')
  if (own !== undefined || isCall || holdsAnswer(part, isThought)) return own ?? SKIP_SIGNATURE
  return undefined
}

/** Whether the part says more than its signature. */
function holdsAnswer(part: ScannedObject, isThought: boolean): boolean {
  const text = valueOf(part, 'text')
  if (typeof text === 'string') return text !== '' && !isThought
  return part.members.some(({ name }) => name !== 'thought' && !name.startsWith('thought'))
}

function named(object: ScannedObject, name: string, otherName: string): Member | undefined {
  return memberOf(object, name) ?? memberOf(object, otherName)
}

function objectsIn(object: ScannedObject, name: string): readonly ScannedPart[] {
  return elementsOf(object, name).flatMap((range) => {
    const element = scanObjectAt(object.bytes, range.start)
    return element.ok ? [{ ...element.value, range }] : []
  })
}
