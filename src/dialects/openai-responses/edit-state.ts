/** The vendor's state in a request that passes through, changed or taken out by splices: every other byte stays as it is. */
import {
  elementsOf,
  memberOf,
  replaceValue,
  scanObjectAt,
  valueOf,
  type Range,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'
import { memberRemovals, removals } from '../../core/json-removal.ts'
import type { StandingState } from '../dialect.ts'

/** Items that the provider looks up by their id together with the reasoning that they came of. */
const BOUND_BY_ID: ReadonlySet<unknown> = new Set(['message', 'function_call', 'custom_tool_call'])

interface Item {
  readonly range: Range
  readonly scanned: ScannedObject | undefined
  readonly isGone: boolean
  /** What becomes of its state, if that stays. */
  readonly edits: readonly Splice[]
}

/** Without their reasoning, the items that it led to must not be known by their ids either. */
export function editState(body: ScannedObject, standing: StandingState): readonly Splice[] {
  const items = elementsOf(body, 'input').map((range) => readItem(body.bytes, range, standing))
  const edits = items.flatMap((item) => item.edits)
  const gone = removals(
    items.map(({ range }) => range),
    (index) => items[index]?.isGone === true,
  )
  if (gone.length === 0) return edits
  return [...gone, ...edits, ...items.flatMap((item) => (item.isGone ? [] : withoutId(item)))]
}

function readItem(bytes: Uint8Array, range: Range, standing: StandingState): Item {
  const item = scanObjectAt(bytes, range.start)
  const scanned = item.ok ? item.value : undefined
  const isReasoning = scanned !== undefined && valueOf(scanned, 'type') === 'reasoning'
  if (!isReasoning) return { range, scanned, isGone: false, edits: [] }
  const value = valueOf(scanned, 'encrypted_content')
  const blob = typeof value === 'string' ? value : ''
  const stands = standing(blob, 'encrypted')
  const isChanged = stands !== undefined && stands !== blob
  return { range, scanned, isGone: stands === undefined, edits: isChanged ? unwrapped(scanned, stands) : [] }
}

/** Its id was ours as well as its envelope, and the state names another. */
function unwrapped(item: ScannedObject, blob: string): readonly Splice[] {
  const state = memberOf(item, 'encrypted_content')
  const ids = idGone(item)
  return state === undefined ? ids : [replaceValue(state, JSON.stringify(blob)), ...ids]
}

function withoutId({ scanned }: Item): readonly Splice[] {
  if (scanned === undefined || !BOUND_BY_ID.has(valueOf(scanned, 'type'))) return []
  return idGone(scanned)
}

function idGone(item: ScannedObject): readonly Splice[] {
  return memberRemovals(item, (name) => name === 'id')
}
