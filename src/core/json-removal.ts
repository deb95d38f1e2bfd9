/** Takes elements of an array, or members of an object, out by splices; what stays keeps its bytes. */
import type { Range, ScannedObject, Splice } from './json-scan.ts'

/** `ranges`: all of the elements, in order. Their commas go with them. */
export function removals(ranges: readonly Range[], isRemoved: (index: number) => boolean): readonly Splice[] {
  const splices: Splice[] = []
  let lastKept: Range | undefined
  for (const [index, range] of ranges.entries()) {
    if (!isRemoved(index)) {
      lastKept = range
      continue
    }
    const before = ranges[index - 1]
    const after = ranges[index + 1]
    // Behind something that stays, the comma before goes; in front of everything that stays, the one after.
    if (lastKept !== undefined && before !== undefined) splices.push({ start: before.end, end: range.end, text: '' })
    else splices.push({ start: range.start, end: after?.start ?? range.end, text: '' })
  }
  return splices
}

/** The same for the members of an object, by their names. */
export function memberRemovals({ members }: ScannedObject, isRemoved: (name: string) => boolean): readonly Splice[] {
  const ranges = members.map(({ keyStart, valueEnd }) => ({ start: keyStart, end: valueEnd }))
  return removals(ranges, (index) => isRemoved(members[index]?.name ?? ''))
}
