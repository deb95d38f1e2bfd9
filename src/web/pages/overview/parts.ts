/** Who and what took part in a range, in the order of whatever is looked at. */
import type { UsageTelemetry } from '../../wire.ts'

type PartWire = Omit<UsageTelemetry['by_model'][number], 'model'>

export interface Part extends PartWire {
  /** The value of the log's filter. */
  readonly id: string
  readonly label: string
}

interface Kind {
  readonly label: string
  /** The log's filter. */
  readonly filter: string
  readonly of: (telemetry: UsageTelemetry) => readonly Part[]
}

export const KINDS = {
  model: { label: 'Model', filter: 'model', of: ({ by_model }) => by_model.map((part) => partOf(part.model, part)) },
  key: { label: 'Key', filter: 'key_id', of: ({ by_key }) => by_key.map((part) => partOf(part.id, part, part.name)) },
  provider: {
    label: 'Provider',
    filter: 'provider',
    of: ({ by_provider }) => by_provider.map((part) => partOf(part.provider, part)),
  },
  account: {
    label: 'Account',
    filter: 'account_id',
    of: ({ by_account }) => by_account.map((part) => partOf(part.id, part, part.name)),
  },
  client: {
    label: 'Tool',
    filter: 'client',
    of: ({ by_client }) => by_client.map((part) => partOf(part.client, part)),
  },
  tag: { label: 'Tag', filter: 'tag', of: ({ by_tag }) => by_tag.map((part) => partOf(part.tag, part)) },
  endpoint: {
    label: 'Endpoint',
    filter: 'endpoint',
    of: ({ by_endpoint }) => by_endpoint.map((part) => partOf(part.endpoint, part)),
  },
} as const satisfies Record<string, Kind>
export type KindName = keyof typeof KINDS

export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[] // the keys of a constant

/** What parts can be ordered by. */
const VALUES = {
  cost: (part) => part.cost_usd,
  requests: (part) => part.requests,
  failed: (part) => part.failed,
  tokens: (part) => part.input_tokens + part.output,
  p50: (part) => part.latency.p50 ?? 0,
  p95: (part) => part.latency.p95 ?? 0,
} as const satisfies Record<string, (part: Part) => number>
export type PartSort = keyof typeof VALUES

export function isPartSort(text: string | undefined): text is PartSort {
  return text !== undefined && text in VALUES
}

export function sorted(parts: readonly Part[], sort: PartSort, order: 'asc' | 'desc'): readonly Part[] {
  const direction = order === 'asc' ? 1 : -1
  return parts.toSorted((a, b) => direction * (VALUES[sort](a) - VALUES[sort](b)) || b.requests - a.requests)
}

function partOf(id: string, part: PartWire, name?: string | null): Part {
  return { ...part, id, label: name ?? id }
}
