import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { TextLink } from '../../components/text-link.tsx'
import type { ProxyPool } from '../../wire.ts'
import { useUsersOf } from './data.ts'
import { providerOf } from './words.ts'

/** Whose calls leave through the pool: by its scope, and by their own choice. */
export function UsersCard({ pool }: { pool: ProxyPool }) {
  const users = useUsersOf(pool.id)
  return (
    <Card title="Who leaves through it">
      <ByScope scope={pool.scope} />
      <Loaded query={users} what="Who names it could not be read">
        {(all) =>
          all.length === 0 ? (
            <p className="text-dense text-muted">
              {pool.scope === 'manual'
                ? 'Nobody yet. Choose it in an account, under Edit, Address.'
                : 'No account names it besides.'}
            </p>
          ) : (
            <ul className="grid gap-1.5 text-dense">
              {all.map(({ id, name, kind, href }) => (
                <li key={id} className="flex flex-wrap gap-x-2">
                  <TextLink to={href}>{name}</TextLink>
                  <span className="text-muted">{kind}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function ByScope({ scope }: Pick<ProxyPool, 'scope'>) {
  const provider = providerOf(scope)
  if (scope === 'manual') return null
  return (
    <p className="mb-2 text-dense">
      {provider === null ? (
        'Every call for which nothing else is chosen.'
      ) : (
        <>
          All accounts at <TextLink to={`/providers/${provider}`}>{provider}</TextLink> that have not chosen otherwise.
        </>
      )}
    </p>
  )
}
