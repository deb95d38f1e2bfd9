/** The longest answer that a request may have, put into one that passes through. */
import {
  insertMember,
  memberOf,
  parseRange,
  replaceValue,
  scanObjectAt,
  type Member,
  type ScannedObject,
  type Splice,
} from '../core/json-scan.ts'

/** Where a format says how long an answer may be: a member of the body, or one of an object in it. */
export type LengthPlace = readonly [name: string] | readonly [object: string, name: string]

/** Every length that is said is lowered to `tokensMax`; where none is, the first of `places` that fits the body gets it. */
export function capOutputAt(
  body: ScannedObject,
  places: readonly [LengthPlace, ...LengthPlace[]],
  tokensMax: number,
): readonly Splice[] {
  const said = places.flatMap((place) => memberAt(body, place) ?? [])
  if (said.length === 0) return [inserted(body, placeIn(body, places), tokensMax)]
  return said
    .filter((member) => !isWithin(body, member, tokensMax))
    .map((member) => replaceValue(member, `${tokensMax}`))
}

function memberAt(body: ScannedObject, [name, inner]: LengthPlace): Member | undefined {
  if (inner === undefined) return memberOf(body, name)
  const object = objectIn(body, name)
  return object && memberOf(object, inner)
}

/** What is no count of tokens, such as −1 for any length, is not within. */
function isWithin({ bytes }: ScannedObject, { valueStart, valueEnd }: Member, tokensMax: number): boolean {
  const value = parseRange(bytes, { start: valueStart, end: valueEnd })
  return typeof value === 'number' && value >= 1 && value <= tokensMax
}

/** Where the body has the object already, so that it is not given twice. */
function placeIn(body: ScannedObject, places: readonly [LengthPlace, ...LengthPlace[]]): LengthPlace {
  return places.find(([object, name]) => name !== undefined && objectIn(body, object) !== undefined) ?? places[0]
}

function inserted(body: ScannedObject, [name, inner]: LengthPlace, tokensMax: number): Splice {
  if (inner === undefined) return insertMember(body, name, `${tokensMax}`)
  const object = objectIn(body, name)
  if (object !== undefined) return insertMember(object, inner, `${tokensMax}`)
  const json = JSON.stringify({ [inner]: tokensMax })
  const other = memberOf(body, name)
  return other === undefined ? insertMember(body, name, json) : replaceValue(other, json)
}

function objectIn(body: ScannedObject, name: string): ScannedObject | undefined {
  const member = memberOf(body, name)
  const scanned = member && scanObjectAt(body.bytes, member.valueStart)
  return scanned?.ok === true ? scanned.value : undefined
}
