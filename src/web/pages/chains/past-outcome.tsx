import { Bars } from '../../components/bars.tsx'
import { Facts } from '../../components/facts.tsx'
import { Money } from '../../components/money.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { countText } from '../../format/count.ts'
import type { ChainSimulation } from '../../wire.ts'

type Past = NonNullable<ChainSimulation['range']>

const EXAMPLES_SHOWN = 5

/** What the chain would have done with requests of the past, beside what was done. */
export function PastOutcome({ past }: { past: Past }) {
  if (past.requests === 0) return <p className="text-dense text-muted">No requests in this time to try it on.</p>
  const bars = past.steps.map(({ id, model, requests }) => ({
    id,
    label: <code>{model}</code>,
    value: requests,
    text: countText(requests),
  }))
  return (
    <div className="grid gap-4">
      <Facts
        items={[
          ['Requests', countText(past.requests)],
          ['Another model', countText(past.moved)],
          ['Nothing would serve', countText(past.unserved)],
          ...(past.unknown > 0 ? [['Not known', countText(past.unknown)] as const] : []),
          ['Cost then', <Money key="before" usd={past.before_usd} />],
          ['Cost with this chain', <Money key="after" usd={past.after_usd} source="estimated" />],
          ...(past.cost_unknown_requests > 0 ? [['Unpriced', countText(past.cost_unknown_requests)] as const] : []),
        ]}
      />
      <Bars label="Requests by step" bars={bars} />
      <Examples examples={past.examples} />
      <p className="text-caption text-faint">
        Decided by what the log kept of each request; answers are assumed to be as long as they were.
      </p>
    </div>
  )
}

function Examples({ examples }: Pick<Past, 'examples'>) {
  if (examples.length === 0) return null
  return (
    <div className="grid gap-1 text-caption">
      <h3 className="font-medium text-muted">For example</h3>
      <ul className="grid gap-1">
        {examples.slice(0, EXAMPLES_SHOWN).map(({ request_id, before, after }) => (
          <li key={request_id}>
            <TextLink to={`/requests/${request_id}`}>
              <code>
                {before ?? 'nothing'} → {after ?? 'nothing'}
              </code>
            </TextLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
