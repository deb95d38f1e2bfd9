/** A parsed JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asString(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asNumber(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function asArray(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? value : undefined
}

export function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

/** JSON that nests deeper is none: it could be parsed, but neither walked nor written again. */
const DEPTH_MAX = 512
const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Undefined when `text` is not JSON: half of it, a page of HTML, nothing at all. */
export function parseJson(text: string): Json | undefined {
  if (nestsTooDeep(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined // what others send may be anything; the caller says what that means
  }
}

/** Each level has a beginning and an end, so that a short text, as events are, need not be looked at. */
function nestsTooDeep(text: string): boolean {
  if (text.length < 2 * DEPTH_MAX) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      if (++depth > DEPTH_MAX) return true
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--
  }
  return false
}

/** Where the string that begins at `start` has its closing quote; the end of the text when it has none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length
    let from = quote
    while (text.charCodeAt(from - 1) === BACKSLASH) from--
    if ((quote - from) % 2 === 0) return quote
    at = quote
  }
}

/** Whether `text` is one whole value: half of what was sent is not. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // which is what was asked
  }
}
