import { Pencil, Trash2 } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useGo, usePathParam } from '../../address.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { planHref, plans } from '../../plans.ts'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import type { Plan } from '../../wire.ts'
import { AccessCard } from './access-card.tsx'
import { BudgetsCard } from './budgets-card.tsx'
import { DeletePlan } from './delete-plan.tsx'
import { KeysCard } from './keys-card.tsx'
import { LimitsCard } from './limits-card.tsx'
import { RoutingCard } from './routing-card.tsx'

const TRAIL = [{ label: 'Plans', to: '/plans' }] as const

/** One plan: what it allows, and whom it limits. */
export default function PlanPage() {
  const query = plans.useOne(usePathParam('planId'))
  const plan = query.data
  return (
    <Page
      title={plan?.name ?? 'Plan'}
      docs="plans"
      trail={TRAIL}
      lead={plan?.is_default && <Badge>for new keys</Badge>}
      actions={plan && <Acts plan={plan} />}
    >
      <Loaded query={query} what="The plan could not be read">
        {(plan) => <Cards plan={plan} />}
      </Loaded>
    </Page>
  )
}

function Cards({ plan }: { plan: Plan }) {
  return (
    <>
      {plan.description !== '' && <p className="mb-4 max-w-180 text-dense text-muted">{plan.description}</p>}
      <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
        <div className="grid gap-4">
          <LimitsCard plan={plan} />
          <RoutingCard plan={plan} />
        </div>
        <div className="grid gap-4">
          <AccessCard plan={plan} />
          <BudgetsCard plan={plan} />
        </div>
        <div className="grid gap-4 md:max-xl:col-span-2">
          <KeysCard plan={plan} />
        </div>
      </div>
    </>
  )
}

function Acts({ plan }: { plan: Plan }) {
  const go = useGo()
  const deletion = useRef<HTMLDialogElement>(null)
  useCommands(
    useMemo(
      () => [
        {
          id: 'edit-plan',
          group: 'Do',
          label: 'Edit this plan',
          shortcut: 'E',
          icon: Pencil,
          run: () => go(`${planHref(plan)}/edit`),
        } as const,
      ],
      [go, plan],
    ),
  )
  return (
    <>
      <Button icon={Pencil} onClick={() => go(`${planHref(plan)}/edit`)}>
        Edit
      </Button>
      <ButtonLink to={`/requests?plan_id=${encodeURIComponent(plan.id)}`}>Its requests</ButtonLink>
      <Menu label="More about this plan">
        <MenuItem icon={Trash2} danger onSelect={() => deletion.current?.showModal()}>
          Delete…
        </MenuItem>
      </Menu>
      <DeletePlan dialog={deletion} plan={plan} />
    </>
  )
}
