/** Which calls of a conversation wait for their results, for formats in which a result may say less than the id of its call. */
interface Call {
  readonly id: string
  isAnswered: boolean
}

/** Calls that have something in common, in order; those before `first` are answered. */
interface Line {
  readonly calls: Call[]
  first: number
}

export class CallBook {
  readonly #all: Line = { calls: [], first: 0 }
  readonly #byId = new Map<string, Line>()
  readonly #byName = new Map<string, Line>()

  add(id: string, name: string): void {
    const call = { id, isAnswered: false }
    this.#all.calls.push(call)
    enter(this.#byId, id, call)
    enter(this.#byName, name, call)
  }

  /** Answers the first call under this id that waits: whether there was one. */
  answer(id: string): boolean {
    return answerFirst(this.#byId.get(id)) !== undefined
  }

  /** Answers the first call of this name that waits, and says its id. */
  answerNamed(name: string): string | undefined {
    return answerFirst(this.#byName.get(name))
  }

  /** Answers the first call that waits, and says its id. */
  answerNext(): string | undefined {
    return answerFirst(this.#all)
  }
}

function enter(lines: Map<string, Line>, name: string, call: Call): void {
  const line = lines.get(name)
  if (line === undefined) lines.set(name, { calls: [call], first: 0 })
  else line.calls.push(call)
}

function answerFirst(line: Line | undefined): string | undefined {
  if (line === undefined) return undefined
  while (line.calls[line.first]?.isAnswered === true) line.first++
  const call = line.calls[line.first]
  if (call !== undefined) call.isAnswered = true
  return call?.id
}
