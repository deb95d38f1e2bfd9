/** One content block of an answer while it is being told. */
import { asArray, asObject, asString, isObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { ReplyContext } from '../dialect.ts'
import type { ChatEvent } from '../neutral.ts'
import { unwrapFreeText } from '../tools/free-text-tool.ts'
import { readCitations } from './citations.ts'
import { ID } from './wire.ts'

export interface OpenBlock {
  open(): readonly ChatEvent[]
  takes(delta: JsonObject): boolean
  delta(delta: JsonObject): readonly ChatEvent[]
  close(): readonly ChatEvent[]
}

/** A block by its skeleton. Hosts that fill the skeleton are understood too: plain replies are read that way. */
export function openBlock(skeleton: JsonObject, context: ReplyContext): OpenBlock {
  switch (skeleton['type']) {
    case 'text':
      return textBlock(skeleton)
    case 'thinking':
      return thinkingBlock(skeleton, context.vendor)
    case 'redacted_thinking':
      return redactedBlock(skeleton, context.vendor)
    case 'tool_use':
      return toolBlock(skeleton, context)
    default:
      return foreignBlock(skeleton)
  }
}

function textBlock(skeleton: JsonObject): OpenBlock {
  const initial = asString(skeleton['text']) ?? ''
  const cited: JsonObject[] = (asArray(skeleton['citations']) ?? []).filter(isObject)
  return {
    open: () => [{ type: 'text-start' }, ...textDelta('text-delta', initial)],
    takes: ({ type }) => type === 'text_delta' || type === 'citations_delta',
    delta: (delta) => {
      if (isObject(delta['citation'])) cited.push(delta['citation'])
      return textDelta('text-delta', delta['text'])
    },
    close: () => [{ type: 'text-end', ...readCitations(cited) }],
  }
}

/** The signature replaces what was there before; hosts of other vendors give none, which is state of theirs as well. */
function thinkingBlock(skeleton: JsonObject, vendor: string): OpenBlock {
  const initial = asString(skeleton['thinking']) ?? ''
  let blob = asString(skeleton['signature']) ?? ''
  return {
    open: () => [{ type: 'reasoning-start' }, ...textDelta('reasoning-delta', initial)],
    takes: ({ type }) => type === 'thinking_delta' || type === 'signature_delta',
    delta: (delta) => {
      blob = asString(delta['signature']) ?? blob
      return textDelta('reasoning-delta', delta['thinking'])
    },
    close: () => [{ type: 'reasoning-end', redacted: false, opaque: { vendor, kind: 'signature', blob } }],
  }
}

function redactedBlock(skeleton: JsonObject, vendor: string): OpenBlock {
  const blob = asString(skeleton['data']) ?? ''
  return {
    open: () => [{ type: 'reasoning-start' }],
    takes: () => false,
    delta: () => [],
    close: () => [{ type: 'reasoning-end', redacted: true, opaque: { vendor, kind: 'redacted', blob } }],
  }
}

/** Arguments come in fragments, or whole in the skeleton, or not at all, which means `{}`. */
function toolBlock(skeleton: JsonObject, context: ReplyContext): OpenBlock {
  const sent = asString(skeleton['name']) ?? ''
  const isCustom = context.customTools?.has(sent) ?? false
  const initial = asObject(skeleton['input']) ?? {}
  let text = ''
  const whole = (): string => (text === '' && Object.keys(initial).length > 0 ? JSON.stringify(initial) : text)
  return {
    open: () => [
      {
        type: 'tool-call-start',
        id: asString(skeleton['id']) || newToolId(context.random),
        name: context.toolNames.get(sent) ?? sent,
        kind: isCustom ? 'custom' : 'function',
      },
    ],
    takes: ({ type }) => type === 'input_json_delta',
    delta: (delta) => {
      const fragment = asString(delta['partial_json']) ?? ''
      text += fragment
      return isCustom ? [] : textDelta('tool-call-delta', fragment)
    },
    close: () => {
      const late = isCustom ? unwrapFreeText(whole()) : text === '' ? whole() : ''
      return [...textDelta('tool-call-delta', late), { type: 'tool-call-end', complete: isComplete(whole()) }]
    },
  }
}

function isComplete(argumentsText: string): boolean {
  return argumentsText === '' || parseJson(argumentsText) !== undefined
}

/** A block that is not understood is kept whole, with what its deltas add to it. */
function foreignBlock(skeleton: JsonObject): OpenBlock {
  const added: Record<string, Json | undefined> = {}
  let input = ''
  return {
    open: () => [],
    takes: ({ type }) => type !== 'text_delta' && type !== 'thinking_delta',
    delta: ({ type, ...fields }) => {
      if (type === 'input_json_delta') input += asString(fields['partial_json']) ?? ''
      else Object.assign(added, fields)
      return []
    },
    close: () => {
      const kind = asString(skeleton['type'])
      if (kind === undefined) return []
      const whole = input === '' ? {} : { input: parseJson(input) ?? {} }
      return [
        { type: 'foreign', part: { type: 'foreign', origin: ID, kind, raw: { ...skeleton, ...added, ...whole } } },
      ]
    },
  }
}

function textDelta(
  type: 'text-delta' | 'reasoning-delta' | 'tool-call-delta',
  text: Json | undefined,
): readonly ChatEvent[] {
  return typeof text === 'string' && text !== '' ? [{ type, text }] : []
}

const TOOL_ID_BYTES = 12

function newToolId(random: Random): string {
  return `toolu_${Buffer.from(random.bytes(TOOL_ID_BYTES)).toString('hex')}`
}
