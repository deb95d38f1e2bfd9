/** Content parts of a client's items → neutral parts. */
import { isObject } from '../../core/json.ts'
import { mediaFromUrl, mimeOf } from '../media/data-url.ts'
import { pathOf, type FieldReader, type Place } from '../field-reader.ts'
import type { AudioPart, Cacheable, DocumentPart, ImagePart, Media, RefusalPart, TextPart } from '../neutral.ts'
import { readCitations } from './citations.ts'
import { ID, optional } from './wire.ts'

export type ContentPart = TextPart | ImagePart | DocumentPart | AudioPart | RefusalPart

const TTLS = ['30m', '12h'] as const
const DETAILS = ['low', 'high', 'auto', 'original'] as const

/** A string or a list of parts under `name`. Empty text, which other formats refuse, is left out. */
export function decodeContent(reader: FieldReader, item: Place, name: string): readonly ContentPart[] {
  const content = item.object[name]
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (Array.isArray(content)) return (reader.objects(item, name) ?? []).flatMap((part) => decodePart(reader, part))
  reader.refuse(pathOf(item, name), 'must be a string or a list of content parts')
  return []
}

function decodePart(reader: FieldReader, part: Place): readonly ContentPart[] {
  const type = reader.requiredString(part, 'type')
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
      return decodeText(reader, part)
    case 'refusal':
      return [{ type: 'refusal', text: reader.requiredString(part, 'refusal') }]
    case 'input_image':
      return [decodeImage(reader, part)]
    case 'input_file':
      return [decodeFile(reader, part)]
    case 'input_audio':
      return [decodeAudio(reader, part)]
    default:
      reader.refuse(pathOf(part, 'type'), `content of type "${type}" cannot be translated`, 'unsupported')
      return []
  }
}

function decodeText(reader: FieldReader, part: Place): readonly TextPart[] {
  const text = reader.requiredString(part, 'text')
  if (text === '') return []
  const annotations = (reader.objects(part, 'annotations') ?? []).map(({ object }) => object)
  return [{ type: 'text', text, ...readCitations(annotations), ...decodeCacheMark(part) }]
}

function decodeImage(reader: FieldReader, part: Place): ImagePart {
  const detail = reader.choice(part, 'detail', DETAILS)
  const url = reader.string(part, 'image_url')
  const source = url === undefined ? storedFile(reader, part, 'image_url') : mediaFromUrl(url)
  return { type: 'image', source, ...optional('detail', detail), ...decodeCacheMark(part) }
}

function decodeFile(reader: FieldReader, part: Place): DocumentPart {
  const filename = reader.string(part, 'filename')
  const source = { ...fileSource(reader, part), ...optional('filename', filename) }
  return { type: 'document', source, ...optional('title', filename), ...decodeCacheMark(part) }
}

function fileSource(reader: FieldReader, part: Place): Media {
  const url = reader.string(part, 'file_url')
  if (url !== undefined) return { kind: 'url', url }
  const data = reader.string(part, 'file_data')
  if (data === undefined) return storedFile(reader, part, 'file_data')
  return data.startsWith('data:') ? mediaFromUrl(data) : { kind: 'base64', mime: mimeOf('', data), data }
}

function storedFile(reader: FieldReader, part: Place, otherwise: string): Media {
  const id = reader.string(part, 'file_id')
  if (id === undefined) reader.refuse(pathOf(part, otherwise), 'is required')
  return { kind: 'file', id: id ?? '', origin: ID }
}

function decodeAudio(reader: FieldReader, part: Place): AudioPart {
  const audio = reader.requiredObject(part, 'input_audio')
  const format = reader.requiredString(audio, 'format')
  const data = reader.requiredString(audio, 'data')
  return { type: 'audio', source: { kind: 'base64', mime: `audio/${format}`, data }, format }
}

function decodeCacheMark(part: Place): Cacheable {
  const mark = part.object['prompt_cache_breakpoint']
  if (!isObject(mark)) return {}
  const ttl = TTLS.find((known) => known === mark['ttl'])
  return { cache: ttl === undefined ? {} : { ttl } }
}
