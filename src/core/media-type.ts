/** What a file is, by its first bytes: what its sender says of it is often wrong, and providers refuse the wrong name. */

/** How many bytes are enough for every signature. */
export const SNIFFED_BYTES = 32

type Signature = readonly [start: string, type: string]

// Signatures that a plain text may begin with by chance (`BM`) are left out.
// https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern (read 2026-11-21); `.` stands for any byte.
const SIGNATURES: readonly Signature[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF....WEBP', 'image/webp'],
  ['\0...ftypavif', 'image/avif'],
  ['\0...ftypheic', 'image/heic'],
  ['\0...ftypheix', 'image/heic'],
  ['\0...ftypmif1', 'image/heif'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['%PDF-', 'application/pdf'],
  ['RIFF....WAVE', 'audio/wav'],
  ['ID3\x02', 'audio/mpeg'],
  ['ID3\x03', 'audio/mpeg'],
  ['ID3\x04', 'audio/mpeg'],
  ['\xff\xfb', 'audio/mpeg'],
  ['\xff\xf3', 'audio/mpeg'],
  ['\xff\xf2', 'audio/mpeg'],
  ['\xff\xf1', 'audio/aac'],
  ['\xff\xf9', 'audio/aac'],
  ['OggS', 'audio/ogg'],
  ['fLaC', 'audio/flac'],
  ['\0...ftypM4A ', 'audio/mp4'],
  ['\x1a\x45\xdf\xa3', 'video/webm'],
  ['\0...ftyp', 'video/mp4'],
  ['PK\x03\x04', 'application/zip'],
]

const ANY_BYTE = '.'

/** The type that the bytes show; undefined when they show none that is known here, as texts never do. */
export function sniffedType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1')
  return SIGNATURES.find(([signature]) => matches(start, signature))?.[1]
}

function matches(start: string, signature: string): boolean {
  if (start.length < signature.length) return false
  for (let at = 0; at < signature.length; at++) {
    if (signature[at] !== ANY_BYTE && signature[at] !== start[at]) return false
  }
  return true
}

/** Other names of a type → the name that providers know. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'image/jpg': 'image/jpeg',
    'image/pjpeg': 'image/jpeg',
    'image/x-png': 'image/png',
    'application/x-pdf': 'application/pdf',
  }),
)

/** A media type without its parameters, in lower case, by its usual name; empty for none. */
export function essenceOf(type: string): string {
  const [essence = ''] = type.split(';', 1)
  const lower = essence.trim().toLowerCase()
  return SYNONYMS.get(lower) ?? lower
}
