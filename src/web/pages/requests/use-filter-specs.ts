import { useMemo } from 'react'
import type { FilterSpec } from '../../components/filter-chips.tsx'
import { useNames } from '../../names.tsx'
import { useApiQuery } from '../../resource.ts'
import type { UsageTelemetry } from '../../wire.ts'
import { FAILURES } from './failure-words.ts'

const STATUSES = [
  { value: 'ok', label: 'Answered' },
  { value: 'error', label: 'Failed' },
  { value: 'cut', label: 'Cut off' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'blocked', label: 'Blocked' },
  { value: 'interrupted', label: 'Cut off by a restart' },
  { value: 'open', label: 'Streaming' },
]
const RANGES = [
  { value: 'today', label: 'today' },
  { value: '24h', label: 'the last 24 hours' },
  { value: '7d', label: 'the last 7 days' },
  { value: '30d', label: 'the last 30 days' },
]
const STREAMED = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
]
const ERRORS = Object.entries(FAILURES).map(([value, { word }]) => ({ value, label: word }))
const OPTIONS_FRESH_MS = 60_000

/** What the log can be narrowed to. What was used in the last month is offered; anything else can be typed. */
export function useFilterSpecs(): readonly FilterSpec[] {
  const keys = useNames('/v1/keys')
  const accounts = useNames('/v1/accounts')
  const chains = useNames('/v1/chains')
  const plans = useNames('/v1/plans')
  const { data: used } = useApiQuery<UsageTelemetry>(
    '/v1/usage/telemetry',
    { range: '30d' },
    { everyMs: OPTIONS_FRESH_MS },
  )
  return useMemo(
    () => [
      { name: 'range', label: 'Time', options: RANGES },
      { name: 'from', label: 'From', type: 'time' },
      { name: 'to', label: 'Until', type: 'time' },
      { name: 'status', label: 'Outcome', options: STATUSES },
      { name: 'error_class', label: 'Failure', options: ERRORS },
      { name: 'model', label: 'Model', type: 'text', options: plain(used?.by_model.map(({ model }) => model)) },
      {
        name: 'provider',
        label: 'Provider',
        type: 'text',
        options: plain(used?.by_provider.map(({ provider }) => provider)),
      },
      { name: 'account_id', label: 'Account', type: 'text', options: named(accounts, used?.by_account) },
      { name: 'chain_id', label: 'Chain', type: 'text', options: named(chains) },
      { name: 'key_id', label: 'Key', type: 'text', options: named(keys, used?.by_key) },
      { name: 'plan_id', label: 'Plan', type: 'text', options: named(plans) },
      { name: 'tag', label: 'Tag', type: 'text', options: plain(used?.by_tag.map(({ tag }) => tag)) },
      { name: 'client', label: 'Client', type: 'text', options: plain(used?.by_client.map(({ client }) => client)) },
      {
        name: 'endpoint',
        label: 'Endpoint',
        type: 'text',
        options: plain(used?.by_endpoint.map(({ endpoint }) => endpoint)),
      },
      { name: 'session_id', label: 'Session', type: 'text' },
      { name: 'stream', label: 'Streamed', options: STREAMED },
      { name: 'min_cost_usd', label: 'Cost, at least $', type: 'text', options: plain(['0.01', '0.1', '1']) },
      { name: 'min_ms', label: 'Took, at least ms', type: 'text', options: plain(['1000', '10000', '60000']) },
    ],
    [keys, accounts, chains, plans, used],
  )
}

function plain(values: readonly string[] = []): NonNullable<FilterSpec['options']> {
  return values.map((value) => ({ value, label: value }))
}

type Named = { readonly id: string; readonly name: string | null }

/** Those that exist, and those that are gone but were used. */
function named(present: readonly Named[], used: readonly Named[] = []): NonNullable<FilterSpec['options']> {
  const all = new Map([...used, ...present].map(({ id, name }) => [id, name ?? id]))
  return [...all].map(([value, label]) => ({ value, label }))
}
