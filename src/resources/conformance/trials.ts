/**
 * What is tried where a check fails: one quirk at a time, in this order, each kept only when it helps. A quirk of how answers are
 * read is tried on the bytes that came; one of what is sent costs another call, and is tried only when something would be sent
 * otherwise. So what is found depends on the host alone, not on chance.
 */
import type { Quirks } from '../../catalog/provider.ts'
import type { FailureKind } from '../../core/failure.ts'
import type { ChatAnswer } from '../accounts/chat-call.ts'
import type { CheckId } from './conformance.ts'

export interface Trial {
  readonly checks: readonly CheckId[]
  readonly by: 'reading' | 'asking'
  /** `refusal`: only when the host refused the question itself; `failure`: whatever was wrong with the answer. */
  readonly after: 'refusal' | 'failure'
  /** Undefined when the quirk is known already. */
  readonly change: (quirks: Quirks) => Quirks | undefined
}

const STREAMED_CALLS: readonly CheckId[] = ['tool_without_arguments', 'parallel_tools']
const FORCED_CALLS: readonly CheckId[] = ['tool', ...STREAMED_CALLS]

export const TRIALS: readonly Trial[] = [
  { checks: ['text'], by: 'asking', after: 'refusal', change: otherLimitField },
  { checks: ['text'], by: 'asking', after: 'refusal', change: stripping('reasoning_effort') },
  { checks: ['system_prompt'], by: 'asking', after: 'refusal', change: flagging('noDeveloperRole') },
  { checks: ['system_prompt'], by: 'asking', after: 'failure', change: flagging('noSystemRole') },
  { checks: ['stream'], by: 'asking', after: 'refusal', change: flagging('noStreamUsage') },
  { checks: ['parallel_tools'], by: 'asking', after: 'refusal', change: stripping('parallel_tool_calls') },
  { checks: FORCED_CALLS, by: 'asking', after: 'refusal', change: stripping('tool_choice') },
  { checks: ['structured_output'], by: 'asking', after: 'failure', change: asJsonObject },
  { checks: ['text', 'stream'], by: 'reading', after: 'failure', change: flagging('splitThinkTags') },
  { checks: ['stream'], by: 'reading', after: 'failure', change: flagging('endsWithoutFinish') },
  { checks: STREAMED_CALLS, by: 'reading', after: 'failure', change: flagging('nameFragments') },
  { checks: ['text', 'stream', ...FORCED_CALLS], by: 'reading', after: 'failure', change: flagging('mergeChoices') },
]

type Flag = 'noDeveloperRole' | 'noSystemRole' | 'noStreamUsage' | 'splitThinkTags' | 'endsWithoutFinish'

function flagging(name: Flag | 'nameFragments' | 'mergeChoices'): Trial['change'] {
  return (quirks) => (quirks[name] === true ? undefined : { ...quirks, [name]: true })
}

function stripping(field: string): Trial['change'] {
  return (quirks) => {
    const { stripFields = [] } = quirks
    return stripFields.includes(field) ? undefined : { ...quirks, stripFields: [...stripFields, field] }
  }
}

function otherLimitField(quirks: Quirks): Quirks {
  return { ...quirks, maxTokensField: quirks.maxTokensField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens' }
}

function asJsonObject(quirks: Quirks): Quirks | undefined {
  return quirks.jsonSchemaMode === 'json_object' ? undefined : { ...quirks, jsonSchemaMode: 'json_object' }
}

/** Some hosts fail over a field that they do not know instead of refusing it. */
const REFUSALS: ReadonlySet<FailureKind> = new Set(['rejected', 'unsupported', 'malformed', 'server'])

/** The host answered, and what it said is that it does not take the question. */
export function isRefusal({ reply, status }: ChatAnswer): boolean {
  return !reply.ok && status >= 400 && REFUSALS.has(reply.error.kind)
}

/** Those of `after` that `before` does not have alike. */
export function newQuirks(before: Quirks, after: Quirks): Quirks {
  const old = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]))
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => old.get(name) !== JSON.stringify(value)))
}
