/** Of which requests the words are kept, as people say it. Pure. */
import type { Key, Plan } from './wire.ts'

type Logging = NonNullable<Key['log_content']>

const WORDS: Readonly<Record<Logging, string>> = {
  never: 'never',
  errors: 'of those that fail',
  always: 'of all',
}

export const CONTENT_LOGGING = (Object.keys(WORDS) as Logging[]) // the keys of a constant
  .map((value) => ({ value, label: WORDS[value] }))

/** What holds where neither a key nor its plan says it is in the settings. */
export function contentText(logging: Plan['log_content'] | null): string {
  return logging === null || logging === 'inherit' ? 'as the settings say' : WORDS[logging]
}
