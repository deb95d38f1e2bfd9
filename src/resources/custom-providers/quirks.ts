/** Oddities of a host by the names of the API, as far as this build does something about them. */
import { type Static, Type } from '@sinclair/typebox'
import type { Quirks } from '../../catalog/provider.ts'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'

const FIELDS_MAX = 50
const Flag = Type.Optional(Type.Boolean())

export const QuirksField = Type.Object(
  {
    no_developer_role: Flag,
    no_system_role: Flag,
    no_stream_usage: Flag,
    strip_params: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,100}$' }), { maxItems: FIELDS_MAX }),
    ),
    max_tokens_field: Type.Optional(choice(['max_tokens', 'max_completion_tokens'])),
    reasoning_field: Type.Optional(choice(['reasoning_content', 'reasoning'])),
    json_schema_mode: Type.Optional(choice(['json_schema', 'json_object'])),
    ends_without_finish: Flag,
    merge_choices: Flag,
    name_fragments: Flag,
    split_think_tags: Flag,
  },
  CLOSED,
)
export type QuirksWire = Static<typeof QuirksField>

const OURS = {
  no_developer_role: 'noDeveloperRole',
  no_system_role: 'noSystemRole',
  no_stream_usage: 'noStreamUsage',
  strip_params: 'stripFields',
  max_tokens_field: 'maxTokensField',
  reasoning_field: 'reasoningField',
  json_schema_mode: 'jsonSchemaMode',
  ends_without_finish: 'endsWithoutFinish',
  merge_choices: 'mergeChoices',
  name_fragments: 'nameFragments',
  split_think_tags: 'splitThinkTags',
} as const satisfies Record<keyof QuirksWire, keyof Quirks>

export function readQuirks(wire: QuirksWire): Quirks {
  const known = Object.entries(OURS).filter(([theirs]) => theirs in wire)
  return Object.fromEntries(known.map(([theirs, ours]) => [ours, wire[theirs as keyof QuirksWire]]))
}

export function quirksToWire(quirks: Quirks): QuirksWire {
  const known = Object.entries(OURS).filter(([, ours]) => quirks[ours] !== undefined)
  return Object.fromEntries(known.map(([theirs, ours]) => [theirs, quirks[ours]]))
}
