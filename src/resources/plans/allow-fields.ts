/** Which models and endpoints may be used, as plans and keys say it. */
import { Type } from '@sinclair/typebox'
import { choice } from '../../http/choice.ts'

/** The words of `endpoints_allow`. */
export const ENDPOINTS = [
  'messages',
  'chat',
  'responses',
  'count_tokens',
  'images',
  'speech',
  'transcriptions',
  'embeddings',
  'search',
  'fetch',
  'rerank',
  'gemini',
  'ollama',
  'models',
  '*',
] as const

const PATTERNS_MAX = 200

export const PatternsField = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: PATTERNS_MAX })
export const EndpointsField = Type.Array(choice(ENDPOINTS), { maxItems: ENDPOINTS.length })
