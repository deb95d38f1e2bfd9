/** The media of a request that are given by address: which there are, and the same request with others in their place. */
import { isObject, type Json } from '../../core/json.ts'
import type { MediaKind } from '../../dialects/dialect.ts'
import type { AudioPart, ChatRequest, DocumentPart, ImagePart, Media, Message, Part } from '../../dialects/neutral.ts'

export interface RemoteMedium {
  readonly kind: MediaKind
  readonly url: string
}

/** Tells media apart: one address may be wanted as different things. */
export function keyOf({ kind, url }: RemoteMedium): string {
  return `${kind} ${url}`
}

/** Those that somebody else has to read for the target, each once. */
export function mediaToFetch(
  { messages }: ChatRequest,
  takesUrl: (kind: MediaKind, url: string) => boolean,
): readonly RemoteMedium[] {
  const wanted = new Map<string, RemoteMedium>()
  const visit = (part: Part): void => {
    if (part.type === 'tool-result') return part.parts.forEach(visit)
    const medium = remoteOf(part)
    if (medium !== undefined && !takesUrl(medium.kind, medium.url)) wanted.set(keyOf(medium), medium)
  }
  for (const { parts } of messages) parts.forEach(visit)
  return [...wanted.values()]
}

/** The request with what was fetched in the place of its addresses. */
export function withFetched(request: ChatRequest, fetched: ReadonlyMap<string, Media>): ChatRequest {
  return { ...request, messages: request.messages.map((message) => messageWith(message, fetched)) }
}

function messageWith(message: Message, fetched: ReadonlyMap<string, Media>): Message {
  return {
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'tool-result'
        ? { ...part, parts: part.parts.map((inner) => partWith(inner, fetched)) }
        : partWith(part, fetched),
    ),
  }
}

function partWith<P extends Part>(part: P, fetched: ReadonlyMap<string, Media>): P {
  const medium = remoteOf(part)
  const media = medium && fetched.get(keyOf(medium))
  return medium === undefined || media === undefined ? part : { ...part, source: named(media, part, medium.url) }
}

function remoteOf(part: Part): RemoteMedium | undefined {
  return isMedium(part) && part.source.kind === 'url' ? { kind: part.type, url: part.source.url } : undefined
}

function isMedium(part: Part): part is ImagePart | DocumentPart | AudioPart {
  return part.type === 'image' || part.type === 'document' || part.type === 'audio'
}

const NAME_CHARACTERS_MAX = 200

/** A document keeps the name that the client gave it, else the last of its address: some providers require one. */
function named(media: Media, part: Part, url: string): Media {
  if (part.type !== 'document') return media
  const filename = part.source.filename ?? lastSegment(url)
  return filename === undefined ? media : { ...media, filename }
}

function lastSegment(url: string): string | undefined {
  const segment = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  return segment === '' ? undefined : decoded(segment).slice(-NAME_CHARACTERS_MAX)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // not percent-encoded after all
  }
}

/** Where in a client's body this text stands first, dotted; undefined when it does not. */
export function pathOfText(value: Json | undefined, text: string): string | undefined {
  for (const [name, child] of membersOf(value)) {
    if (child === text) return name
    const below = pathOfText(child, text)
    if (below !== undefined) return `${name}.${below}`
  }
  return undefined
}

function membersOf(value: Json | undefined): readonly (readonly [string, Json | undefined])[] {
  return Array.isArray(value) || isObject(value) ? Object.entries(value) : []
}
