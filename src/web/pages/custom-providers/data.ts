/** Custom providers as these pages read and change them; each is a provider like any other to every other page. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { resource } from '../../resource.ts'
import type { CustomProvider, CustomProviderChange, NewCustomProvider } from '../../wire.ts'

export const customProviders = resource<CustomProvider, NewCustomProvider, CustomProviderChange>('/v1/custom-providers')

/** Call it after a change, so that every list of providers and accounts is asked again. */
export function useRenewProviders(): () => Promise<unknown> {
  const queries = useQueryClient()
  return useCallback(
    () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [customProviders.path, 'list'] }),
        queries.invalidateQueries({ queryKey: ['/v1/providers'] }),
        queries.invalidateQueries({ queryKey: ['/v1/accounts'] }),
      ]),
    [queries],
  )
}

export const DIALECT_WORDS = {
  openai_chat: 'Chat Completions',
  openai_responses: 'Responses',
  anthropic_messages: 'Messages',
  gemini: 'Gemini',
  ollama: 'Ollama',
  bedrock_converse: 'Bedrock Converse',
  cohere_v2: 'Cohere',
} as const

/** The dialects that this build speaks to providers. */
export type Dialect = keyof typeof DIALECT_WORDS
export const DIALECTS = Object.keys(DIALECT_WORDS) as readonly Dialect[] // the keys of a constant

export function dialectWord(dialect: string): string {
  return (DIALECT_WORDS as Readonly<Record<string, string>>)[dialect] ?? dialect
}
