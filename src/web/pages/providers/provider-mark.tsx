import { Globe, House, Monitor, Sparkles } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { networkOf } from '../../network.ts'
import type { Account, Provider } from '../../wire.ts'

/** The first letter of a name, as a tile. The name itself stands beside it. */
export function ProviderMark({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-7 shrink-0 place-items-center rounded-control border border-line bg-sunken text-dense font-semibold text-muted"
    >
      {name.charAt(0)}
    </span>
  )
}

/** What is unusual about where a provider runs. `accounts` are its own: they may point elsewhere. */
export function ProviderBadges({ provider, accounts = [] }: { provider: Provider; accounts?: readonly Account[] }) {
  const isOnLan = addressesOf(provider, accounts).some((url) => networkOf(url) === 'local network')
  return (
    <>
      {provider.kind === 'local' && <Badge icon={Monitor}>Local</Badge>}
      {provider.kind === 'demo' && <Badge icon={Sparkles}>Demo</Badge>}
      {isOnLan && <Badge icon={House}>LAN</Badge>}
      {provider.origin === 'custom' && <Badge icon={Globe}>Custom</Badge>}
    </>
  )
}

/** Where requests of this provider go: each account's own address, or the provider's. */
function addressesOf({ dialects }: Provider, accounts: readonly Account[]): readonly string[] {
  const own = dialects.map(({ base_url }) => base_url)
  const overrides = accounts.flatMap(({ base_url_override }) => base_url_override ?? [])
  const usesOwn = accounts.length === 0 || accounts.some(({ base_url_override }) => base_url_override === null)
  return usesOwn ? [...own, ...overrides] : overrides
}
