/**
 * The order that a Converse conversation must have: user and assistant take turns, each call has an id of its own, and one turn
 * of the user answers all calls of the turn before it.
 */
import type { Message, Part, ToolCallPart, ToolResultPart } from '../neutral.ts'
import { shortHash } from '../tool-names.ts'
import { toolRounds, type ToolRound } from '../tool-rounds.ts'
import { TurnJoiner } from '../turn-joiner.ts'
import type { ModelTraits } from './model.ts'

export function orderedTurns(messages: readonly Message[], traits: ModelTraits): readonly Message[] {
  const joiner = new TurnJoiner()
  for (const message of messages) joiner.add(asSpoken(message))
  const ids = new CallIds(traits)
  return toolRounds(joiner.finish()).flatMap((round) => turnsOf(round, ids))
}

/** System text inside a conversation has no place of its own. */
function asSpoken(message: Message): Message {
  if (message.role !== 'system') return message
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  return { role: 'user', parts: [{ type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` }] }
}

function turnsOf({ assistant, answers, others }: ToolRound, ids: CallIds): readonly Message[] {
  const renamed = new Map<Part, ToolCallPart>()
  const results = answers.map(({ call, result }): ToolResultPart => {
    const id = ids.next(call.id)
    renamed.set(call, { ...call, id })
    return { ...(result ?? NO_RESULT), callId: id }
  })
  const said = [...results, ...others.flatMap(({ parts }) => parts)]
  return [
    ...(assistant === undefined
      ? []
      : [{ role: 'assistant' as const, parts: assistant.parts.map((part) => renamed.get(part) ?? part) }]),
    ...(said.length === 0 ? [] : [{ role: 'user' as const, parts: said }]),
  ]
}

const NO_RESULT: Omit<ToolResultPart, 'callId'> = {
  type: 'tool-result',
  parts: [{ type: 'text', text: '(no result)' }],
  isError: true,
}

const LEGAL_ID = /^[a-zA-Z0-9_-]{1,64}$/
const SHORT_ID = /^[a-zA-Z0-9]{9}$/
const SHORT_ID_LENGTH = 9
const ID_HASH_LENGTH = 24

/** The client's ids where the model takes them, else ones derived from them: the same history gives the same bytes. */
class CallIds {
  readonly #isShort: boolean
  readonly #taken = new Set<string>()

  constructor({ shortCallIds }: ModelTraits) {
    this.#isShort = shortCallIds
  }

  next(id: string): string {
    let free = id
    const legal = this.#isShort ? SHORT_ID : LEGAL_ID
    for (let attempt = 0; !legal.test(free) || this.#taken.has(free); attempt++)
      free = this.#derived(`${id}#${attempt}`)
    this.#taken.add(free)
    return free
  }

  #derived(seed: string): string {
    return this.#isShort ? shortHash(seed, SHORT_ID_LENGTH) : `tooluse_${shortHash(seed, ID_HASH_LENGTH)}`
  }
}
