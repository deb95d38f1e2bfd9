/** The vendor's state in a request that passes through, changed or taken out by splices: every other byte stays as it is. */
import {
  elementsOf,
  memberOf,
  parseRange,
  replaceValue,
  scanObjectAt,
  valueOf,
  type Range,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'
import { removals } from '../../core/json-removal.ts'
import type { StandingState } from '../dialect.ts'

interface Turn {
  readonly range: Range
  readonly role: unknown
  readonly blocks: readonly Block[]
}

interface Block {
  readonly range: Range
  readonly type: unknown
  readonly isGone: boolean
  /** What becomes of its state, if that stays. */
  readonly edits: readonly Splice[]
}

/**
 * A turn of which nothing is left goes whole. A model that thinks by a budget refuses an open tool loop whose turn does not
 * begin with thinking, so thinking is switched off for that request; one that decides for itself does not mind.
 */
export function editState(body: ScannedObject, standing: StandingState): readonly Splice[] {
  const turns = elementsOf(body, 'messages').map((range) => readTurn(body.bytes, range, standing))
  const isEmptied = ({ blocks }: Turn): boolean => blocks.length > 0 && blocks.every((block) => block.isGone)
  const ranges = turns.map(({ range }) => range)
  const gone = removals(ranges, (index) => turns[index] !== undefined && isEmptied(turns[index]))
  const thinned = turns.filter((turn) => !isEmptied(turn)).flatMap(({ blocks }) => editsOf(blocks))
  const splices = [...gone, ...thinned]
  return lacksThinking(turns) ? [...splices, ...withThinkingOff(body)] : splices
}

function editsOf(blocks: readonly Block[]): readonly Splice[] {
  const ranges = blocks.map(({ range }) => range)
  const gone = removals(ranges, (index) => blocks[index]?.isGone === true)
  return [...gone, ...blocks.flatMap(({ edits }) => edits)]
}

function readTurn(bytes: Uint8Array, range: Range, standing: StandingState): Turn {
  const message = scanObjectAt(bytes, range.start)
  if (!message.ok) return { range, role: undefined, blocks: [] }
  const role = valueOf(message.value, 'role')
  const ranges = elementsOf(message.value, 'content')
  return { range, role, blocks: ranges.map((block) => readBlock(bytes, block, role === 'assistant', standing)) }
}

function readBlock(bytes: Uint8Array, range: Range, isOfModel: boolean, standing: StandingState): Block {
  const block = scanObjectAt(bytes, range.start)
  const type = block.ok ? valueOf(block.value, 'type') : undefined
  const isState = isOfModel && (type === 'thinking' || type === 'redacted_thinking')
  if (!block.ok || !isState) return { range, type, isGone: false, edits: [] }
  const [name, kind] = type === 'thinking' ? (['signature', 'signature'] as const) : (['data', 'redacted'] as const)
  const value = valueOf(block.value, name)
  const blob = typeof value === 'string' ? value : ''
  const stands = standing(blob, kind)
  const member = memberOf(block.value, name)
  const isChanged = stands !== undefined && stands !== blob && member !== undefined
  const edits = isChanged ? [replaceValue(member, JSON.stringify(stands))] : []
  return { range, type, isGone: stands === undefined, edits }
}

/** The conversation ends with results of tools, and what called them does not begin with thinking any more. */
function lacksThinking(turns: readonly Turn[]): boolean {
  if (turns.at(-1)?.blocks.some(({ type }) => type === 'tool_result') !== true) return false
  const caller = turns.findLast(({ role }) => role === 'assistant')
  const first = caller?.blocks.find((block) => !block.isGone)
  return first !== undefined && first.type !== 'thinking' && first.type !== 'redacted_thinking'
}

const SWITCHED_OFF = '{"type":"disabled"}'

function withThinkingOff(body: ScannedObject): readonly Splice[] {
  const member = memberOf(body, 'thinking')
  const thinking = member && parseRange(body.bytes, { start: member.valueStart, end: member.valueEnd })
  const isBudget =
    typeof thinking === 'object' && thinking !== null && 'type' in thinking && thinking.type === 'enabled'
  if (member === undefined || !isBudget) return []
  return [replaceValue(member, SWITCHED_OFF), ...withoutThinkingEdits(body)]
}

/**
 * An edit that clears thinking is refused while there is none.
 * https://platform.claude.com/docs/en/build-with-claude/context-editing (read 2026-11-21)
 */
function withoutThinkingEdits(body: ScannedObject): readonly Splice[] {
  const management = memberOf(body, 'context_management')
  const scanned = management && scanObjectAt(body.bytes, management.valueStart)
  if (scanned?.ok !== true) return []
  const edits = elementsOf(scanned.value, 'edits')
  return removals(edits, (index) => isThinkingEdit(body.bytes, edits[index]))
}

function isThinkingEdit(bytes: Uint8Array, range: Range | undefined): boolean {
  const edit = range && scanObjectAt(bytes, range.start)
  return edit?.ok === true && String(valueOf(edit.value, 'type')).startsWith('clear_thinking')
}
