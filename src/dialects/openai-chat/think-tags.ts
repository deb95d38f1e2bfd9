/** Text of models that write their thinking as `<think>…</think>` into the answer, for hosts with the quirk `splitThinkTags`. */
export interface Piece {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}

const OPEN = '<think>'
const CLOSE = '</think>'

/** Tells thinking from text wherever the deltas cut the tags. A closing tag that was never opened is left out. */
export class ThinkTags {
  #held = ''
  #inside = false
  /** Blank space between the closing tag and the answer belongs to neither. */
  #trimming = false

  push(text: string): readonly Piece[] {
    const pieces: Piece[] = []
    let rest = this.#held + text
    for (;;) {
      const tag = this.#nextTag(rest)
      if (tag === undefined) break
      this.#add(pieces, rest.slice(0, tag.at))
      rest = rest.slice(tag.at + tag.length)
      this.#trimming = tag.closes
      this.#inside = !tag.closes
    }
    const held = heldLength(rest)
    this.#held = rest.slice(rest.length - held)
    this.#add(pieces, rest.slice(0, rest.length - held))
    return pieces
  }

  /** No more text follows: what looked like the start of a tag was none. */
  finish(): readonly Piece[] {
    const pieces: Piece[] = []
    this.#add(pieces, this.#held)
    this.#held = ''
    return pieces
  }

  #nextTag(text: string): { readonly at: number; readonly length: number; readonly closes: boolean } | undefined {
    const close = text.indexOf(CLOSE)
    const open = this.#inside ? -1 : text.indexOf(OPEN)
    if (open >= 0 && (close < 0 || open < close)) return { at: open, length: OPEN.length, closes: false }
    return close < 0 ? undefined : { at: close, length: CLOSE.length, closes: true }
  }

  #add(pieces: Piece[], text: string): void {
    const kept = this.#trimming ? text.trimStart() : text
    if (kept === '') return
    this.#trimming = false
    pieces.push({ kind: this.#inside ? 'reasoning' : 'text', text: kept })
  }
}

/** How many characters at the end of `text` may be the start of a tag. */
function heldLength(text: string): number {
  const from = text.lastIndexOf('<')
  if (from < 0) return 0
  const tail = text.slice(from)
  return OPEN.startsWith(tail) || CLOSE.startsWith(tail) ? tail.length : 0
}
