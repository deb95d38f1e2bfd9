import { Split, Tags } from 'lucide-react'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RequestLines } from '../../components/request-lines.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { KeyName } from '../../names.tsx'
import { useRecentRequests } from '../../recent-requests.ts'
import { aliases, chains } from '../../target-names.ts'

const LISTED = 100
const REQUESTS_LIMIT = 6
const EVERY_MS = 10_000

/** What leads to the model, and its newest requests. */
export function UsersCard({ name }: { name: string }) {
  const recent = useRecentRequests({ model: name, limit: REQUESTS_LIMIT, everyMs: EVERY_MS })
  return (
    <Card
      title="Who uses it"
      flush
      action={<TextLink to={`/requests?model=${encodeURIComponent(name)}`}>All requests</TextLink>}
    >
      <Routes name={name} />
      <Loaded query={recent} what="The requests could not be read">
        {({ data }) =>
          data.length === 0 ? (
            <p className="p-4 text-dense text-muted">No request was answered by it yet.</p>
          ) : (
            <RequestLines requests={data} clients nameOf={({ key_id }) => <KeyName id={key_id} />} />
          )
        }
      </Loaded>
    </Card>
  )
}

/** Chains and aliases that name it. */
function Routes({ name }: { name: string }) {
  const through = chains.useList({ limit: LISTED }).data?.data ?? []
  const pools = aliases.useList({ limit: LISTED }).data?.data ?? []
  const rules = through.filter(({ steps }) => steps.some(({ model }) => model === name))
  const names = pools.filter(({ targets }) => targets.some(({ model }) => model === name))
  if (rules.length === 0 && names.length === 0) return null
  return (
    <ul
      aria-label="Chains and aliases that lead to it"
      className="flex flex-wrap gap-x-5 gap-y-1.5 border-b border-line px-4 py-3 text-dense"
    >
      {rules.map(({ id, name, slug }) => (
        <li key={id} className="flex items-center gap-1.5">
          <Split aria-label="Chain" size={16} strokeWidth={1.75} className="text-muted" />
          <TextLink to={`/chains/${encodeURIComponent(id)}`}>{name || slug}</TextLink>
        </li>
      ))}
      {names.map(({ alias }) => (
        <li key={alias} className="flex items-center gap-1.5">
          <Tags aria-label="Alias" size={16} strokeWidth={1.75} className="text-muted" />
          <TextLink to={`/aliases/one?alias=${encodeURIComponent(alias)}`}>{alias}</TextLink>
        </li>
      ))}
    </ul>
  )
}
