/** Which files stand for a medium of each kind. The bytes decide what a file is; what its host calls it only where they say nothing. */
import { failure, type Failure } from '../../core/failure.ts'
import { essenceOf, sniffedType } from '../../core/media-type.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { MediaKind } from '../../dialects/dialect.ts'
import type { Media } from '../../dialects/neutral.ts'
import type { PublicFile } from '../../outbound/fetch-public.ts'

/** What is asked for, as `Accept` writes it; hosts that can choose the form of a picture choose one that every provider takes. */
export const ACCEPTED: Readonly<Record<MediaKind, string>> = {
  image: 'image/png, image/jpeg, image/webp, image/gif;q=0.9, image/*;q=0.5',
  document: 'application/pdf, text/plain, text/markdown, */*;q=0.5',
  audio: 'audio/wav, audio/mpeg, audio/*;q=0.5',
}

/** Failures: `malformed` for a file that is nothing of the kind, `unsupported` for a type that no provider takes. */
export function mediaOf(kind: MediaKind, file: PublicFile): Result<Media, Failure> {
  const seen = sniffedType(file.bytes)
  const said = essenceOf(file.contentType)
  if (file.bytes.length === 0) return err(failure('malformed', 'The file is empty.'))
  return kind === 'document' ? documentOf(file, seen, said) : bytesOf(kind, file, seen, said)
}

/** Containers that hold sound as well as pictures; only the host can say which. */
const CONTAINERS: ReadonlySet<string> = new Set(['video/webm', 'video/mp4'])

function bytesOf(kind: 'image' | 'audio', file: PublicFile, seen = '', said: string): Result<Media, Failure> {
  const type = kind === 'audio' && CONTAINERS.has(seen) ? said : seen
  if (type.startsWith(`${kind}/`)) return ok(base64(type, file))
  if (seen === '' && said.startsWith(`${kind}/`)) {
    return err(failure('unsupported', `Files of type ${said} are not carried.`))
  }
  return err(failure('malformed', `The file is not ${kind === 'image' ? 'an image' : 'audio'}.`))
}

const OFFICE = /^application\/(vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.|epub\+zip$)/

function documentOf(file: PublicFile, seen: string | undefined, said: string): Result<Media, Failure> {
  if (seen === 'application/pdf') return ok(base64(seen, file))
  if (seen === 'application/zip' && OFFICE.test(said)) return ok(base64(said, file))
  const text = seen === undefined ? textOf(file) : undefined
  if (text !== undefined) return ok({ kind: 'text', text, mime: said.startsWith('text/') ? said : 'text/plain' })
  return err(failure('unsupported', 'The file is neither text nor a document of a type that is carried.'))
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i

/** Whatever else a host names is tried as UTF-8, which tells by itself when it is not. https://encoding.spec.whatwg.org (read 2026-11-21) */
const ENCODINGS: ReadonlyMap<string, 'utf-16' | 'windows-1252'> = new Map(
  Object.entries<'utf-16' | 'windows-1252'>({
    'utf-16': 'utf-16',
    'utf-16le': 'utf-16',
    'iso-8859-1': 'windows-1252',
    latin1: 'windows-1252',
    'windows-1252': 'windows-1252',
  }),
)

/** Undefined for bytes that are no text. */
function textOf({ bytes, contentType }: PublicFile): string | undefined {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase() ?? ''
  try {
    const text = new TextDecoder(ENCODINGS.get(charset) ?? 'utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined // bytes that are none of the charset: a file that cannot be read as text
  }
}

function base64(mime: string, { bytes }: PublicFile): Media {
  return { kind: 'base64', mime, data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64') }
}
