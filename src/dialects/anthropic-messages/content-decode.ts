/** Blocks of a client's history → neutral parts. */
import { asString, isObject, type Json } from '../../core/json.ts'
import { mimeOf } from '../media/data-url.ts'
import { pathOf, type FieldReader, type Place } from '../field-reader.ts'
import type {
  Cacheable,
  DocumentPart,
  ForeignPart,
  ImagePart,
  Media,
  Part,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../neutral.ts'
import { openOpaque } from '../opaque.ts'
import { readCitations } from './citations.ts'
import { HOME_VENDOR, ID } from './wire.ts'

type ContentPart = ToolResultPart['parts'][number]

/** The parts of one turn; empty text blocks, which clients store and providers refuse, are left out. */
export function decodeContent(reader: FieldReader, turn: Place, role: Role): readonly Part[] {
  const content = turn.object['content']
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) {
    reader.refuse(pathOf(turn, 'content'), 'must be a string or an array of content blocks')
    return []
  }
  return (reader.objects(turn, 'content') ?? []).flatMap((block) => decodeBlock(reader, block, role))
}

export function decodeCacheMark(reader: FieldReader, block: Place): Cacheable {
  const mark = reader.object(block, 'cache_control')
  if (mark === undefined) return {}
  const ttl = reader.choice(mark, 'ttl', ['5m', '1h'])
  return { cache: ttl === undefined ? {} : { ttl } }
}

/** Where the blocks that belong to one side of the conversation may stand; the provider refuses them elsewhere. */
const HOMES: ReadonlyMap<string, Role> = new Map([
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['tool_use', 'assistant'],
  ['tool_result', 'user'],
])

function decodeBlock(reader: FieldReader, block: Place, role: Role): readonly Part[] {
  const type = reader.requiredString(block, 'type')
  const home = role === 'system' ? undefined : HOMES.get(type)
  const isMisplaced = role === 'system' ? type !== 'text' : home !== undefined && home !== role
  if (isMisplaced) reader.refuse(pathOf(block, 'type'), `${type} blocks cannot stand in a ${role} message`)
  switch (type) {
    case 'thinking':
      return [decodeThinking(reader, block)]
    case 'redacted_thinking':
      return [decodeRedacted(reader, block)]
    case 'tool_use':
      return [decodeToolUse(reader, block)]
    case 'tool_result':
      return [decodeToolResult(reader, block)]
    default:
      return decodeContentBlock(reader, block, type)
  }
}

/** Blocks that a tool's result may hold as well as a turn. */
function decodeContentBlock(reader: FieldReader, block: Place, type: string): readonly ContentPart[] {
  switch (type) {
    case 'text':
      return decodeText(reader, block)
    case 'image':
      return [decodeImage(reader, block)]
    case 'document':
      return decodeDocument(reader, block)
    case 'search_result':
      return [decodeSearchResult(reader, block)]
    default:
      return decodeForeign(reader, block, type)
  }
}

function decodeText(reader: FieldReader, block: Place): readonly TextPart[] {
  const text = reader.requiredString(block, 'text')
  if (text === '') return []
  const cited = (reader.objects(block, 'citations') ?? []).map(({ object }) => object)
  return [{ type: 'text', text, ...readCitations(cited), ...decodeCacheMark(reader, block) }]
}

function decodeImage(reader: FieldReader, block: Place): ImagePart {
  return { type: 'image', source: decodeSource(reader, block), ...decodeCacheMark(reader, block) }
}

/** A document made of blocks becomes its text, followed by its images. */
function decodeDocument(reader: FieldReader, block: Place): readonly ContentPart[] {
  const source = reader.requiredObject(block, 'source')
  const details = documentDetails(reader, block)
  if (source.object['type'] !== 'content') {
    return [{ type: 'document', source: decodeSource(reader, block), ...details }]
  }
  const parts = decodeResultContent(reader, source)
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  const document: DocumentPart = { type: 'document', source: { kind: 'text', text, mime: 'text/plain' }, ...details }
  return [document, ...parts.filter((part) => part.type !== 'text')]
}

function documentDetails(reader: FieldReader, block: Place): Omit<DocumentPart, 'type' | 'source'> {
  const title = reader.string(block, 'title')
  const context = reader.string(block, 'context')
  const citations = reader.object(block, 'citations')
  return {
    ...(title === undefined ? {} : { title }),
    ...(context === undefined ? {} : { context }),
    ...(citations === undefined ? {} : { citations: reader.boolean(citations, 'enabled') ?? false }),
    ...decodeCacheMark(reader, block),
  }
}

/** A search result is a short document: its text, its title, and where it came from. */
function decodeSearchResult(reader: FieldReader, block: Place): DocumentPart {
  const passages = reader.objects(block, 'content') ?? []
  const text = passages.map((passage) => reader.requiredString(passage, 'text')).join('\n\n')
  const context = reader.requiredString(block, 'source')
  const details = documentDetails(reader, block)
  return { type: 'document', source: { kind: 'text', text, mime: 'text/plain' }, ...details, context }
}

function decodeSource(reader: FieldReader, block: Place): Media {
  const source = reader.requiredObject(block, 'source')
  switch (reader.requiredString(source, 'type')) {
    case 'base64': {
      const data = reader.requiredString(source, 'data')
      return { kind: 'base64', mime: mimeOf(reader.requiredString(source, 'media_type'), data), data }
    }
    case 'url':
      return { kind: 'url', url: reader.requiredString(source, 'url') }
    case 'file':
      return { kind: 'file', id: reader.requiredString(source, 'file_id'), origin: ID }
    case 'text':
      return { kind: 'text', text: reader.requiredString(source, 'data'), mime: 'text/plain' }
    default:
      reader.refuse(pathOf(source, 'type'), 'must be one of base64, url, file, text, content')
      return { kind: 'text', text: '', mime: 'text/plain' }
  }
}

/** A signature without an envelope of ours was made by this dialect's own vendor. */
function decodeThinking(reader: FieldReader, block: Place): ReasoningPart {
  const text = reader.string(block, 'thinking') ?? ''
  const signature = reader.string(block, 'signature') ?? ''
  if (signature === '') return { type: 'reasoning', text, redacted: false }
  const opaque = openOpaque(signature) ?? { vendor: HOME_VENDOR, kind: 'signature' as const, blob: signature }
  return { type: 'reasoning', text, redacted: false, opaque }
}

function decodeRedacted(reader: FieldReader, block: Place): ReasoningPart {
  const data = reader.requiredString(block, 'data')
  const opaque = openOpaque(data) ?? { vendor: HOME_VENDOR, kind: 'redacted' as const, blob: data }
  return { type: 'reasoning', text: '', redacted: true, opaque }
}

function decodeToolUse(reader: FieldReader, block: Place): ToolCallPart {
  const id = reader.requiredString(block, 'id')
  const name = reader.requiredString(block, 'name')
  if (name === '') reader.refuse(pathOf(block, 'name'), 'must not be empty')
  const input = reader.object(block, 'input')?.object ?? {}
  const argumentsText = JSON.stringify(input)
  return { type: 'tool-call', id, name, kind: 'function', argumentsText, ...decodeCacheMark(reader, block) }
}

function decodeToolResult(reader: FieldReader, block: Place): ToolResultPart {
  return {
    type: 'tool-result',
    callId: reader.requiredString(block, 'tool_use_id'),
    parts: decodeResultContent(reader, block),
    isError: reader.boolean(block, 'is_error') ?? false,
    ...decodeCacheMark(reader, block),
  }
}

function decodeResultContent(reader: FieldReader, holder: Place): readonly ContentPart[] {
  const content: Json | undefined = holder.object['content']
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  const blocks = reader.objects(holder, 'content') ?? []
  return blocks.flatMap((block) => decodeContentBlock(reader, block, reader.requiredString(block, 'type')))
}

/** Anything else is kept whole: transcripts of hosted tools, and blocks that are newer than this code. */
function decodeForeign(reader: FieldReader, block: Place, type: string): readonly ForeignPart[] {
  if (type.endsWith('_delta')) reader.refuse(pathOf(block, 'type'), `${type} belongs to a stream, not to a message`)
  return isObject(block.object) && asString(block.object['type']) !== undefined
    ? [{ type: 'foreign', origin: ID, kind: type, raw: block.object }]
    : []
}
