import type { Account } from '../../wire.ts'

type FailureClass = NonNullable<Account['last_error']>['class']

/** The classes that an account's calls end with, as people say them; others keep the API's word. */
const WORDS: Readonly<Partial<Record<FailureClass, string>>> = {
  auth: 'Sign-in refused',
  billing: 'Out of money or quota',
  not_entitled: 'Not allowed for this account',
  rate_limit: 'Rate limit',
  overloaded: 'Overloaded',
  server: 'Provider error',
  empty: 'Empty answer',
  connect: 'Not reachable',
  timeout: 'No answer in time',
  cut: 'Answer cut off',
  rejected: 'Request refused',
  context_too_long: 'Context too long',
  refused_content: 'Content refused',
}

export function failureWord(kind: string): string {
  return (WORDS as Readonly<Record<string, string>>)[kind] ?? kind.replaceAll('_', ' ')
}
