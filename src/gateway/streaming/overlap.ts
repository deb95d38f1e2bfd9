/** Where a text that was cut and what goes on from it meet: nothing is said twice. */

/** What goes on is looked at so far for words that are there already. */
const OVERLAP_CHARACTERS_MAX = 400
/** Shorter repetitions are as well meant: `ha ha`, `000`. */
const OVERLAP_CHARACTERS_MIN = 16

/**
 * What `added` says beyond the end of `text`; undefined while more of it is needed to tell. White space at the end of `text` counts as
 * said, too: whoever goes on was asked without it. `isAll`: no more of `added` comes.
 */
export function beyondOverlap(text: string, added: string, isAll: boolean): string | undefined {
  const known = text.slice(-OVERLAP_CHARACTERS_MAX)
  if (!isAll && added.length < OVERLAP_CHARACTERS_MAX && mayOverlapMore(known, added)) return undefined
  for (let length = Math.min(known.length, added.length); length >= OVERLAP_CHARACTERS_MIN; length--)
    if (known.endsWith(added.slice(0, length))) return added.slice(length)
  return added.slice(sharedBeginning(spaceAtEnd(text), added))
}

/** Could a longer piece than `added` end what is known and begin what comes? */
function mayOverlapMore(known: string, added: string): boolean {
  const at = known.indexOf(added)
  return at >= 0 && at < known.length - added.length
}

function spaceAtEnd(text: string): string {
  return text.slice(text.trimEnd().length)
}

function sharedBeginning(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
