import { Cable, CirclePause, CirclePlay, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useGo, usePathParam } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Focused } from '../../components/focused.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { accountStatus, Status } from '../../components/status.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import type { Key } from '../../wire.ts'
import { AccessCard } from './access-card.tsx'
import { BudgetCard } from './budget-card.tsx'
import { keyHref, keys, useSwitchKeys } from './data.ts'
import { DeleteKey } from './delete-key.tsx'
import { DetailsCard, SecretCard } from './details-card.tsx'
import { LimitsCard } from './limits-card.tsx'
import { OtherPlansCard } from './other-plans-card.tsx'
import { RotateKey } from './rotate-key.tsx'
import { RotationBadge } from './rotation-badge.tsx'
import { SkillsCard } from './skills-card.tsx'
import { ModelCostCard, LastRequestsCard, WeekCard } from './usage-cards.tsx'

const TRAIL = [{ label: 'Keys', to: '/keys' }] as const
const EVERY_MS = 15_000

/** One key: may it, and what has it done. */
export default function KeyPage() {
  const id = usePathParam('keyId')
  const query = keys.useOne(id, { everyMs: EVERY_MS })
  const [rotated, setRotated] = useState<string>()
  const key = query.data
  return (
    <Page
      title={key?.name ?? 'Key'}
      docs="keys"
      trail={TRAIL}
      lead={key && <Lead stored={key} />}
      actions={key && <Acts stored={key} onRotated={setRotated} />}
    >
      {rotated !== undefined && (
        <div className="mb-4 max-w-180">
          <Card title="The new secret">
            <Focused key={rotated} label="New secret">
              <SecretOnce
                secret={rotated}
                what="Key"
                later="Reading it again is a recorded act."
                onClose={() => setRotated(undefined)}
              />
            </Focused>
          </Card>
        </div>
      )}
      <Loaded query={query} what="The key could not be read">
        {(key) => <Cards stored={key} />}
      </Loaded>
    </Page>
  )
}

function Cards({ stored }: { stored: Key }) {
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <div className="grid gap-4">
        <BudgetCard stored={stored} />
        <LimitsCard stored={stored} />
        <OtherPlansCard stored={stored} />
      </div>
      <div className="grid gap-4">
        <AccessCard stored={stored} />
        <SkillsCard stored={stored} />
        <SecretCard stored={stored} />
        <DetailsCard stored={stored} />
        <ModelCostCard keyId={stored.id} />
      </div>
      <div className="grid gap-4 md:max-xl:col-span-2">
        <WeekCard keyId={stored.id} />
        <LastRequestsCard keyId={stored.id} />
      </div>
    </div>
  )
}

function Lead({ stored }: { stored: Key }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-dense">
      <Status name={accountStatus(stored.status)} />
      <RotationBadge stored={stored} />
      <code className="text-caption text-muted max-sm:hidden">{stored.secret_masked}</code>
      <span className="text-muted">
        {stored.last_used_at === null ? 'never used' : 'last used '}
        <RelativeTime at={stored.last_used_at} never="" />
      </span>
    </span>
  )
}

function Acts({ stored, onRotated }: { stored: Key; onRotated: (secret: string) => void }) {
  const go = useGo()
  const put = useSwitchKeys()
  const rotation = useRef<HTMLDialogElement>(null)
  const deletion = useRef<HTMLDialogElement>(null)
  const isOff = stored.status === 'disabled'
  const toggle = (): void => void put([stored], isOff ? 'active' : 'disabled')
  useCommands(
    useMemo(
      () => [
        {
          id: 'edit-key',
          group: 'Do',
          label: 'Edit this key',
          shortcut: 'E',
          icon: Pencil,
          run: () => go(`${keyHref(stored)}/edit`),
        } as const,
      ],
      [go, stored],
    ),
  )
  return (
    <>
      <Button icon={Pencil} onClick={() => go(`${keyHref(stored)}/edit`)}>
        Edit
      </Button>
      <Button icon={RefreshCw} onClick={() => rotation.current?.showModal()}>
        Rotate
      </Button>
      <Button icon={isOff ? CirclePlay : CirclePause} onClick={toggle}>
        {isOff ? 'Enable' : 'Disable'}
      </Button>
      <Menu label="More">
        <MenuItem icon={Cable} onSelect={() => go('/connect')}>
          Connect a tool
        </MenuItem>
        <MenuItem icon={Trash2} danger onSelect={() => deletion.current?.showModal()}>
          Delete
        </MenuItem>
      </Menu>
      <RotateKey dialog={rotation} stored={stored} onRotated={onRotated} />
      <DeleteKey dialog={deletion} stored={stored} onDisable={isOff ? undefined : toggle} />
    </>
  )
}
