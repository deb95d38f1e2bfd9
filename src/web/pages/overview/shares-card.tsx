import { useState } from 'react'
import { Bars } from '../../components/bars.tsx'
import { Card } from '../../components/card.tsx'
import { SumCost } from '../../components/request-cost.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { countText, percentText } from '../../format/count.ts'
import type { UsageTelemetry } from '../../wire.ts'

const SHOWN_MAX = 8

interface PartWire {
  readonly requests: number
  readonly ok: number
  readonly cost_usd: number
  readonly cost_unknown_requests: number
}

interface Share {
  /** The value of the log's filter. */
  readonly id: string
  readonly label: string
  readonly part: PartWire
}

interface Kind {
  readonly label: string
  /** The log's filter. */
  readonly filter: string
  readonly of: (telemetry: UsageTelemetry) => readonly Share[]
}

const KINDS = {
  model: { label: 'Model', filter: 'model', of: ({ by_model }) => by_model.map((part) => shareOf(part.model, part)) },
  key: { label: 'Key', filter: 'key_id', of: ({ by_key }) => by_key.map((part) => shareOf(part.id, part, part.name)) },
  provider: {
    label: 'Provider',
    filter: 'provider',
    of: ({ by_provider }) => by_provider.map((part) => shareOf(part.provider, part)),
  },
  client: {
    label: 'Tool',
    filter: 'client',
    of: ({ by_client }) => by_client.map((part) => shareOf(part.client, part)),
  },
} as const satisfies Record<string, Kind>
type KindName = keyof typeof KINDS

const OPTIONS = (['model', 'key', 'provider', 'client'] as const).map((value) => ({ value, label: KINDS[value].label }))

/** What the cost was made of; where nothing cost anything, the requests. */
export function SharesCard({ telemetry }: { telemetry: UsageTelemetry }) {
  const [name, setName] = useState<KindName>('model')
  const { range, cost_usd: cost, requests } = telemetry.summary
  const isCost = cost > 0
  const shares = KINDS[name]
    .of(telemetry)
    .toSorted((a, b) => (isCost ? b.part.cost_usd - a.part.cost_usd : b.part.requests - a.part.requests))
    .slice(0, SHOWN_MAX)
  return (
    <Card
      title={isCost ? 'Cost by' : 'Requests by'}
      action={<Segmented label="By" value={name} options={OPTIONS} onChange={setName} />}
    >
      {shares.length === 0 ? (
        <p className="text-dense text-muted">No requests in this range.</p>
      ) : (
        <Bars
          label={`${isCost ? 'Cost' : 'Requests'} by ${KINDS[name].label.toLowerCase()}`}
          bars={shares.map(({ id, label, part }) => ({
            id,
            label: (
              <TextLink
                to={`/requests?${KINDS[name].filter}=${encodeURIComponent(id)}&range=${range}`}
                className="text-ink"
              >
                {label}
              </TextLink>
            ),
            value: isCost ? part.cost_usd : part.requests,
            text: isCost ? (
              <SumCost part={part} />
            ) : (
              <span title={percentText(part.requests / Math.max(1, requests))}>{countText(part.requests)}</span>
            ),
          }))}
        />
      )}
    </Card>
  )
}

function shareOf(id: string, part: PartWire, name?: string | null): Share {
  return { id, label: name ?? id, part }
}
