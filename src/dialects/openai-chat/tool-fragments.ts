/**
 * Tool calls as hosts stream them: in fragments whose index may be missing, reused or full of gaps, whose id and name may come
 * late or never, and which may interleave. Out come whole calls, one open at a time: the first that is not closed streams, what
 * belongs to later ones is held until then. A call closes when the next has begun and its own arguments are whole, or when
 * everything closes; never because its arguments happen to parse.
 */
import { failure, type Failure } from '../../core/failure.ts'
import { isJson } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import { newCallId } from '../tools/call-id.ts'
import type { ChatEvent } from '../neutral.ts'

export interface ToolFragment {
  /** As received; undefined when there was none. */
  readonly index: string | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly kind: 'function' | 'custom'
  readonly text: string
}

export interface ToolFragmentsContext {
  readonly random: Random
  readonly toolNames: ReadonlyMap<string, string>
  /** Names arrive in pieces instead of whole. */
  readonly nameFragments: boolean
}

const CALLS_MAX = 128
/** Characters of arguments that may wait for an earlier call to close. */
const HELD_CHARACTERS_MAX = 16 * 1024 * 1024
/** How often arguments are looked into to see whether they are whole; beyond it a call closes with all the others. */
const LOOKS_MAX = 16

interface Call {
  id: string | undefined
  name: string
  kind: 'function' | 'custom'
  /** All arguments so far. Looked into only when the next call has begun: each look costs its whole length. */
  text: string
  unsaid: string
  state: 'held' | 'open' | 'closed'
  /** Its index has gone to another call: nothing more can come. */
  superseded: boolean
  endsLikeObject: boolean
  looksLeft: number
}

export class ToolFragments {
  readonly #context: ToolFragmentsContext
  readonly #calls: Call[] = []
  readonly #byIndex = new Map<string, Call>()
  readonly #ids = new Set<string>()
  #current: Call | undefined
  #lead = 0
  #heldCharacters = 0
  #failure: Failure | undefined

  constructor(context: ToolFragmentsContext) {
    this.#context = context
  }

  /** Set once the calls cannot be told apart any more. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  /** Whether any call was said. */
  get any(): boolean {
    return this.#ids.size > 0
  }

  push(fragment: ToolFragment): readonly ChatEvent[] {
    const call = this.#callOf(fragment)
    if (call === undefined) return []
    this.#current = call
    if (call.state === 'closed') this.#refuseLate(fragment)
    else this.#absorb(call, fragment)
    const events = this.#advance()
    if (this.#heldCharacters > HELD_CHARACTERS_MAX) this.#refuse('sent more tool arguments than the gateway holds')
    return events
  }

  /** Closes every call that has a name. `last`: nothing follows any more. `cut`: a limit ended the answer. */
  close(last: boolean, cut: boolean): readonly ChatEvent[] {
    const events: ChatEvent[] = []
    for (const call of this.#calls.slice(this.#lead)) {
      if (call.state === 'closed') continue
      if (call.name !== '') events.push(...this.#say(call), this.#end(call, !cut || isJson(call.text)))
      else if (last && call.text !== '') this.#refuse('sent a tool call without a name')
    }
    return events
  }

  #callOf(fragment: ToolFragment): Call | undefined {
    const { index } = fragment
    const known = index === undefined ? this.#unindexed(fragment) : this.#byIndex.get(index)
    if (known !== undefined && (index === undefined || !this.#reuses(known, fragment))) return known
    if (this.#calls.length >= CALLS_MAX) {
      this.#refuse(`sent more than ${CALLS_MAX} tool calls`)
      return undefined
    }
    if (known !== undefined) known.superseded = true
    const call = newCall(fragment.kind)
    this.#calls.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }

  /** Without an index: the call with that id, or the current one unless the fragment begins another. */
  #unindexed({ id, name }: ToolFragment): Call | undefined {
    const sameId = id === undefined ? undefined : this.#calls.find((call) => call.id === id)
    if (sameId !== undefined) return sameId
    const current = this.#current
    if (current === undefined || name === undefined) return current
    if (id !== undefined && current.id !== undefined) return undefined
    return current.text === '' || this.#context.nameFragments ? current : undefined
  }

  /** An index that comes again with another id and a name, or with nothing but another name after arguments, is a new call. */
  #reuses(call: Call, { id, name, text }: ToolFragment): boolean {
    if (name === undefined || this.#context.nameFragments) return false
    if (id !== undefined) return call.id !== undefined && id !== call.id
    return call.text !== '' && (name !== call.name || (text.trimStart().startsWith('{') && isWhole(call)))
  }

  #absorb(call: Call, { id, name, kind, text }: ToolFragment): void {
    if (call.state === 'held') {
      call.id ??= id
      if (name !== undefined) call.name = this.#context.nameFragments ? call.name + name : name
      if (kind === 'custom') call.kind = kind
    }
    call.text += text
    call.unsaid += text
    this.#heldCharacters += text.length
    const tail = text.trimEnd()
    if (tail !== '') call.endsLikeObject = tail.endsWith('}')
  }

  #advance(): readonly ChatEvent[] {
    const events: ChatEvent[] = []
    for (;;) {
      const lead = this.#calls[this.#lead]
      if (lead === undefined) return events
      if (lead.state !== 'closed') {
        if (lead.name === '' || (this.#context.nameFragments && lead.text === '')) return events
        events.push(...this.#say(lead))
        if (this.#lead + 1 === this.#calls.length || !(lead.superseded || isWhole(lead))) return events
        events.push(this.#end(lead, true))
      }
      this.#lead++
    }
  }

  #say(call: Call): readonly ChatEvent[] {
    const events: ChatEvent[] = []
    if (call.state === 'held') {
      call.state = 'open'
      const name = this.#context.toolNames.get(call.name) ?? call.name
      events.push({ type: 'tool-call-start', id: this.#announced(call), name, kind: call.kind })
    }
    if (call.unsaid !== '') events.push({ type: 'tool-call-delta', text: call.unsaid })
    this.#heldCharacters -= call.unsaid.length
    call.unsaid = ''
    return events
  }

  #end(call: Call, complete: boolean): ChatEvent {
    call.state = 'closed'
    return { type: 'tool-call-end', complete }
  }

  /** The host's id, unless it has none or said it before in this answer. */
  #announced(call: Call): string {
    const id = call.id === undefined || this.#ids.has(call.id) ? newCallId(this.#context.random) : call.id
    this.#ids.add(id)
    return id
  }

  /** Arguments for a call that was closed would be lost, and a call with half its arguments must not run. */
  #refuseLate(fragment: ToolFragment): void {
    if (fragment.text.trim() !== '') this.#refuse('went on with a tool call that it had ended')
  }

  #refuse(claim: string): void {
    this.#failure ??= failure('server', `The provider ${claim}.`)
  }
}

function newCall(kind: 'function' | 'custom'): Call {
  return {
    id: undefined,
    name: '',
    kind,
    text: '',
    unsaid: '',
    state: 'held',
    superseded: false,
    endsLikeObject: false,
    looksLeft: LOOKS_MAX,
  }
}

/** Whether the arguments are one whole object, as far as looking is worth it. */
function isWhole(call: Call): boolean {
  if (call.kind === 'custom' || !call.endsLikeObject || call.looksLeft === 0) return false
  call.looksLeft--
  return isJson(call.text)
}
