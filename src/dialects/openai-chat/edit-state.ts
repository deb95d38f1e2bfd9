/**
 * What we sealed into `reasoning_details`, in a request that passes through: unwrapped or taken out by splices, every other byte
 * stays as it is. Entries that a host wrote itself are between the client and the host.
 */
import { elementsOf, scanObjectAt, valueOf, type Range, type ScannedObject, type Splice } from '../../core/json-scan.ts'
import { memberRemovals, removals } from '../../core/json-removal.ts'
import type { StandingState } from '../dialect.ts'
import { openOpaque } from '../opaque.ts'
import { detailsOf } from './reasoning-details.ts'

const DETAILS = 'reasoning_details'
/** The thinking itself, which goes with its state. */
const THOUGHTS: ReadonlySet<string> = new Set([DETAILS, 'reasoning_content', 'reasoning'])

export function editState(body: ScannedObject, standing: StandingState): readonly Splice[] {
  return elementsOf(body, 'messages').flatMap(({ start }) => {
    const message = scanObjectAt(body.bytes, start)
    return message.ok ? editMessage(message.value, standing) : []
  })
}

interface Entry {
  readonly range: Range
  /** Of one that we sealed: what is to stand in its place; undefined when it goes. */
  readonly sealed?: { readonly stands: string | undefined }
}

function editMessage(message: ScannedObject, standing: StandingState): readonly Splice[] {
  const entries = elementsOf(message, DETAILS).map((range) => readEntry(message.bytes, range, standing))
  const goes = (entry: Entry | undefined): boolean => entry?.sealed !== undefined && entry.sealed.stands === undefined
  if (entries.length > 0 && entries.every(goes)) return memberRemovals(message, (name) => THOUGHTS.has(name))
  const gone = removals(
    entries.map(({ range }) => range),
    (index) => goes(entries[index]),
  )
  const unwrapped = entries.flatMap(({ range, sealed }) =>
    sealed?.stands === undefined ? [] : [{ ...range, text: sealed.stands }],
  )
  return [...gone, ...unwrapped]
}

function readEntry(bytes: Uint8Array, range: Range, standing: StandingState): Entry {
  const entry = scanObjectAt(bytes, range.start)
  const text = entry.ok ? (valueOf(entry.value, 'signature') ?? valueOf(entry.value, 'data')) : undefined
  const opaque = typeof text === 'string' ? openOpaque(text) : undefined
  if (typeof text !== 'string' || opaque === undefined) return { range }
  const blob = standing(text, opaque.kind)
  return { range, sealed: { stands: blob === undefined ? undefined : listed(detailsOf({ ...opaque, blob })) } }
}

/** The host's own entries, which were sealed as one. */
function listed(details: ReturnType<typeof detailsOf>): string | undefined {
  if (details === undefined || details.length === 0) return undefined
  return details.map((detail) => JSON.stringify(detail)).join(',')
}
