/** The parts of a message's content as clients write them. */
import { asString, type Json } from '../../core/json.ts'
import { type FieldReader, pathOf, type Place } from '../field-reader.ts'
import type { AudioPart, CacheTtl, DocumentPart, ImagePart, Media, RefusalPart, TextPart } from '../neutral.ts'
import { mediaFromUrl, mimeOf } from '../media/data-url.ts'
import { present } from '../present.ts'

export type ContentPart = TextPart | ImagePart | DocumentPart | AudioPart | RefusalPart

const DETAILS = ['low', 'high', 'auto', 'original'] as const
const TTLS: readonly CacheTtl[] = ['5m', '30m', '1h', '12h']
const PDF = 'application/pdf'
const AUDIO_MIMES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ mp3: 'audio/mpeg', wav: 'audio/wav' }),
)

/** `content` as parts; empty text leaves none. */
export function readContent(reader: FieldReader, message: Place): readonly ContentPart[] {
  const content = message.object['content']
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (content !== undefined && content !== null && !Array.isArray(content)) {
    reader.refuse(pathOf(message, 'content'), 'must be a string or an array')
    return []
  }
  const parts = reader.objects(message, 'content') ?? []
  return parts.map((place) => readPart(reader, place)).filter((part) => part !== undefined)
}

/** `content` where only text may stand; anything else is refused. */
export function readText(reader: FieldReader, message: Place): readonly TextPart[] {
  const texts: TextPart[] = []
  for (const part of readContent(reader, message)) {
    if (part.type === 'text') texts.push(part)
    else reader.refuse(pathOf(message, 'content'), 'may hold text only')
  }
  return texts
}

function readPart(reader: FieldReader, place: Place): ContentPart | undefined {
  const type = reader.requiredString(place, 'type')
  const cache = cacheMark(place)
  switch (type) {
    case 'text': {
      const text = reader.requiredString(place, 'text')
      return text === '' ? undefined : { type, text, ...cache }
    }
    case 'refusal':
      return { type, text: reader.requiredString(place, 'refusal') }
    case 'image_url':
      return { ...readImage(reader, reader.requiredObject(place, 'image_url')), ...cache }
    case 'input_audio':
      return { ...readAudio(reader, reader.requiredObject(place, 'input_audio')), ...cache }
    case 'file':
      return { ...readFile(reader, reader.requiredObject(place, 'file')), ...cache }
    default:
      reader.refuse(pathOf(place, 'type'), `"${type}" is not a part that can be carried`, 'unsupported')
      return undefined
  }
}

function readImage(reader: FieldReader, place: Place): ImagePart {
  const source = mediaFromUrl(reader.requiredString(place, 'url'))
  const detail = reader.choice(place, 'detail', DETAILS)
  return { type: 'image', source, ...present({ detail }) }
}

function readAudio(reader: FieldReader, place: Place): AudioPart {
  const format = reader.requiredString(place, 'format')
  const mime = AUDIO_MIMES.get(format) ?? `audio/${format}`
  return { type: 'audio', source: { kind: 'base64', mime, data: reader.requiredString(place, 'data') }, format }
}

function readFile(reader: FieldReader, place: Place): DocumentPart {
  const filename = reader.string(place, 'filename')
  const data = reader.string(place, 'file_data')
  const id = reader.string(place, 'file_id')
  if (data === undefined && id === undefined) reader.refuse(place.path, 'needs file_data or file_id')
  const source: Media = data === undefined ? { kind: 'file', id: id ?? '', origin: 'openai-chat' } : fileMedia(data)
  return { type: 'document', source: { ...source, ...present({ filename }) }, ...present({ title: filename }) }
}

/** A data URL, or base64 alone as older clients send it. */
function fileMedia(data: string): Media {
  const media = mediaFromUrl(data)
  return media.kind === 'url' && !/^https?:/i.test(data) ? { kind: 'base64', mime: mimeOf(PDF, data), data } : media
}

// `PromptCacheBreakpoint` of `openai` 7.55.0 (read 2026-11-21)
function cacheMark({ object }: Place): { readonly cache?: { readonly ttl?: CacheTtl } } {
  const mark: Json | undefined = object['prompt_cache_breakpoint']
  if (typeof mark !== 'object' || mark === null || Array.isArray(mark)) return {}
  const said = 'ttl' in mark ? asString(mark['ttl']) : undefined
  return { cache: present({ ttl: TTLS.find((ttl) => ttl === said) }) }
}
