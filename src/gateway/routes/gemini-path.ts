/**
 * What a path of Gemini's API says: the model stands before the last colon, its slashes raw or encoded, and the method behind it.
 * https://ai.google.dev/api/generate-content (read 2026-11-21)
 * Before a name that has a slash the AI SDK writes no `models/`. https://www.npmjs.com/package/@ai-sdk/google 4.0.121 (read 2026-11-21)
 */

export const GEMINI_METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'] as const
export type GeminiMethod = (typeof GEMINI_METHODS)[number]

export interface GeminiAddress {
  readonly model: string
  readonly method: GeminiMethod
}

const BETA = '/v1beta'
/** The newest libraries ask here, where the models of all others are, too. */
const STABLE_MODELS = '/v1/models'
const METHOD_PATH = /^\/v1(?:beta(?:\/models)?|\/models)\/(.*):([A-Za-z]+)$/

/** Undefined for paths that name no model and no method of ours. */
export function geminiAddress(path: string): GeminiAddress | undefined {
  const [, model, name] = METHOD_PATH.exec(path) ?? []
  const method = GEMINI_METHODS.find((known) => known === name)
  return model === undefined || method === undefined ? undefined : { model: modelIdOf(model), method }
}

/** Whether the path is Gemini's alone. */
export function isGeminiPath(path: string): boolean {
  return path === BETA || path.startsWith(`${BETA}/`) || geminiAddress(path) !== undefined
}

/** Whether Google's libraries ask here, with keys in their own places. */
export function takesGoogleKey(path: string): boolean {
  return isGeminiPath(path) || path === STABLE_MODELS || path.startsWith(`${STABLE_MODELS}/`)
}

/** A model's id as it stands in a path. */
export function modelIdOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded // a broken escape is no model's name; the look-up says so
  }
}
