import { AccountName, KeyName } from '../names.tsx'
import { usePlan } from '../plans.ts'
import type { PricingOverride } from '../wire.ts'

/** For whom a price counts. */
export function ScopeName({ override: { scope, scope_id: id } }: { override: PricingOverride }) {
  if (id === null) return <>everybody</>
  return (
    <span>
      <span className="text-muted">{scope}</span> {scope === 'key' && <KeyName id={id} />}
      {scope === 'account' && <AccountName id={id} />}
      {scope === 'plan' && <PlanName id={id} />}
      {scope === 'provider' && id}
    </span>
  )
}

function PlanName({ id }: { id: string }) {
  return <>{usePlan(id)?.name ?? id}</>
}
