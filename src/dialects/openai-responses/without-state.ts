/** Reasoning out of a request that passes through, by splices: every other byte stays as the client wrote it. */
import {
  memberOf,
  scanArrayAt,
  scanObjectAt,
  valueOf,
  type Range,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'
import { removals } from '../../core/json-removal.ts'
import type { IsRefused } from '../dialect.ts'

/** Items that the provider looks up by their id together with the reasoning that they came of. */
const BOUND_BY_ID: ReadonlySet<unknown> = new Set(['message', 'function_call', 'custom_tool_call'])

interface Item {
  readonly range: Range
  readonly scanned: ScannedObject | undefined
  readonly isRefused: boolean
}

/** Without their reasoning, the items that it led to must not be known by their ids either. */
export function withoutState(body: ScannedObject, isRefused: IsRefused): readonly Splice[] {
  const input = memberOf(body, 'input')
  const list = input && scanArrayAt(body.bytes, input.valueStart)
  if (list?.ok !== true) return []
  const items = list.value.elements.map((range) => readItem(body.bytes, range, isRefused))
  const gone = removals(
    items.map(({ range }) => range),
    (index) => items[index]?.isRefused === true,
  )
  if (gone.length === 0) return []
  return [...gone, ...items.flatMap((item) => (item.isRefused ? [] : withoutId(item)))]
}

function readItem(bytes: Uint8Array, range: Range, isRefused: IsRefused): Item {
  const item = scanObjectAt(bytes, range.start)
  if (!item.ok) return { range, scanned: undefined, isRefused: false }
  if (valueOf(item.value, 'type') !== 'reasoning') return { range, scanned: item.value, isRefused: false }
  const blob = valueOf(item.value, 'encrypted_content')
  return { range, scanned: item.value, isRefused: isRefused(typeof blob === 'string' ? blob : '') }
}

function withoutId({ scanned }: Item): readonly Splice[] {
  if (scanned === undefined || !BOUND_BY_ID.has(valueOf(scanned, 'type'))) return []
  const members = scanned.members.map(({ keyStart, valueEnd }) => ({ start: keyStart, end: valueEnd }))
  return removals(members, (index) => scanned.members[index]?.name === 'id')
}
