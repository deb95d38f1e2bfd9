/** Thinking out of a request that passes through, by splices: every other byte stays as the client wrote it. */
import {
  memberOf,
  parseRange,
  replaceValue,
  scanArrayAt,
  scanObjectAt,
  valueOf,
  type Member,
  type Range,
  type ScannedObject,
  type Splice,
} from '../../core/json-scan.ts'
import { removals } from '../../core/json-removal.ts'
import type { IsRefused } from '../dialect.ts'

interface Turn {
  readonly range: Range
  readonly role: unknown
  readonly blocks: readonly Block[]
}

interface Block {
  readonly range: Range
  readonly type: unknown
  readonly isRefused: boolean
}

/**
 * A turn of which nothing is left goes whole. A model that thinks by a budget refuses an open tool loop whose turn does not
 * begin with thinking, so thinking is switched off for that request; one that decides for itself does not mind.
 */
export function withoutState(body: ScannedObject, isRefused: IsRefused): readonly Splice[] {
  const turns = rangesOf(body, memberOf(body, 'messages')).map((range) => readTurn(body.bytes, range, isRefused))
  const isEmptied = ({ blocks }: Turn): boolean => blocks.length > 0 && blocks.every((block) => block.isRefused)
  const ranges = turns.map(({ range }) => range)
  const gone = removals(ranges, (index) => turns[index] !== undefined && isEmptied(turns[index]))
  const thinned = turns.filter((turn) => !isEmptied(turn)).flatMap(({ blocks }) => withoutRefused(blocks))
  const splices = [...gone, ...thinned]
  return lacksThinking(turns) ? [...splices, ...withThinkingOff(body)] : splices
}

function withoutRefused(blocks: readonly Block[]): readonly Splice[] {
  const ranges = blocks.map(({ range }) => range)
  return removals(ranges, (index) => blocks[index]?.isRefused === true)
}

function readTurn(bytes: Uint8Array, range: Range, isRefused: IsRefused): Turn {
  const message = scanObjectAt(bytes, range.start)
  if (!message.ok) return { range, role: undefined, blocks: [] }
  const role = valueOf(message.value, 'role')
  const ranges = rangesOf(message.value, memberOf(message.value, 'content'))
  return { range, role, blocks: ranges.map((block) => readBlock(bytes, block, role === 'assistant', isRefused)) }
}

function readBlock(bytes: Uint8Array, range: Range, isOfModel: boolean, isRefused: IsRefused): Block {
  const block = scanObjectAt(bytes, range.start)
  if (!block.ok) return { range, type: undefined, isRefused: false }
  const type = valueOf(block.value, 'type')
  if (!isOfModel || (type !== 'thinking' && type !== 'redacted_thinking')) return { range, type, isRefused: false }
  const blob = valueOf(block.value, type === 'thinking' ? 'signature' : 'data')
  return { range, type, isRefused: isRefused(typeof blob === 'string' ? blob : '') }
}

/** The elements of a member that is a list; none for anything else. */
function rangesOf({ bytes }: ScannedObject, member: Member | undefined): readonly Range[] {
  const scanned = member === undefined ? undefined : scanArrayAt(bytes, member.valueStart)
  return scanned?.ok === true ? scanned.value.elements : []
}

/** The conversation ends with results of tools, and what called them does not begin with thinking any more. */
function lacksThinking(turns: readonly Turn[]): boolean {
  if (turns.at(-1)?.blocks.some(({ type }) => type === 'tool_result') !== true) return false
  const caller = turns.findLast(({ role }) => role === 'assistant')
  const first = caller?.blocks.find((block) => !block.isRefused)
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
  const edits = rangesOf(scanned.value, memberOf(scanned.value, 'edits'))
  return removals(edits, (index) => isThinkingEdit(body.bytes, edits[index]))
}

function isThinkingEdit(bytes: Uint8Array, range: Range | undefined): boolean {
  const edit = range && scanObjectAt(bytes, range.start)
  return edit?.ok === true && String(valueOf(edit.value, 'type')).startsWith('clear_thinking')
}
