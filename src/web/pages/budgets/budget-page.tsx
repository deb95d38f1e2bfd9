import { Pencil, Trash2 } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useGo, usePathParam } from '../../address.ts'
import { BUDGET_EVERY_MS, budgetHref, budgets } from '../../budgets.ts'
import { BudgetState } from '../../components/budget-state.tsx'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import type { Budget } from '../../wire.ts'
import { CountersCard } from './counters-card.tsx'
import { CourseCard } from './course-card.tsx'
import { DeleteBudget } from './delete-budget.tsx'
import { RaiseBudget } from './raise-budget.tsx'
import { RulesCard } from './rules-card.tsx'

const TRAIL = [{ label: 'Budgets', to: '/budgets' }] as const

/** One budget: will it hold? */
export default function BudgetPage() {
  const query = budgets.useOne(usePathParam('budgetId'), { everyMs: BUDGET_EVERY_MS })
  const budget = query.data
  return (
    <Page
      title={budget?.name ?? 'Budget'}
      docs="budgets"
      trail={TRAIL}
      lead={budget && <BudgetState status={budget.status} />}
      actions={budget && <Acts budget={budget} />}
    >
      <Loaded query={query} what="The budget could not be read">
        {(budget) => <Cards budget={budget} />}
      </Loaded>
    </Page>
  )
}

function Cards({ budget }: { budget: Budget }) {
  return (
    <div className="grid gap-4">
      {budget.warnings.map((warning) => (
        <Callout key={warning} tone="caution">
          {sentence(warning)}
        </Callout>
      ))}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
        <div className="grid gap-4">
          <CourseCard budget={budget} />
          {budget.each && <CountersCard budget={budget} />}
        </div>
        <RulesCard budget={budget} />
      </div>
    </div>
  )
}

function Acts({ budget }: { budget: Budget }) {
  const go = useGo()
  const raise = useRef<HTMLDialogElement>(null)
  const deletion = useRef<HTMLDialogElement>(null)
  useCommands(
    useMemo(
      () => [
        {
          id: 'edit-budget',
          group: 'Do',
          label: 'Edit this budget',
          shortcut: 'E',
          icon: Pencil,
          run: () => go(`${budgetHref(budget)}/edit`),
        } as const,
      ],
      [go, budget],
    ),
  )
  return (
    <>
      {budget.amount_usd !== null && <Button onClick={() => raise.current?.showModal()}>Raise for a while</Button>}
      <Button icon={Pencil} onClick={() => go(`${budgetHref(budget)}/edit`)}>
        Edit
      </Button>
      <Menu label="More about this budget">
        <MenuItem icon={Trash2} danger onSelect={() => deletion.current?.showModal()}>
          Delete…
        </MenuItem>
      </Menu>
      <RaiseBudget dialog={raise} budget={budget} />
      <DeleteBudget dialog={deletion} budget={budget} />
    </>
  )
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}
