import { Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { reasonOf } from '../../components/error-state.tsx'
import { Form } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import { Switch } from '../../components/switch.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { ProxyPool } from '../../wire.ts'
import { POLL_MS, proxyPools, useRenewPools } from './data.ts'
import { DeletePool } from './delete-pool.tsx'
import { PoolState } from './exit-state.tsx'
import { ExitsCard } from './exits-card.tsx'
import { changeOf, fieldsOf, type PoolFields } from './pool-draft.ts'
import { PoolFieldset } from './pool-fields.tsx'
import { UsersCard } from './users-card.tsx'
import { useRunTest } from './use-run-test.ts'
import { exitCounts } from './words.ts'

const TRAIL = [{ label: 'Proxy pools', to: '/proxy-pools' }]

export default function ProxyPoolPage() {
  const id = usePathParam('poolId')
  const query = proxyPools.useOne(id, { everyMs: POLL_MS })
  if (query.data === undefined) {
    return (
      <Page title="Proxy pool" trail={TRAIL}>
        <Card>
          <Loaded query={query} what="This proxy pool could not be read">
            {() => null}
          </Loaded>
        </Card>
      </Page>
    )
  }
  return <Shown key={id} pool={query.data} onReload={() => void query.refetch()} />
}

interface ShownProps {
  readonly pool: ProxyPool
  readonly onReload: () => void
}

function Shown({ pool, onReload }: ShownProps) {
  const deletion = useRef<HTMLDialogElement>(null)
  const test = useRunTest(pool.id)
  return (
    <Page
      title={pool.name}
      docs="proxies"
      trail={TRAIL}
      lead={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-dense">
          <PoolState pool={pool} />
          <Enabled pool={pool} />
        </span>
      }
      actions={
        <Menu label="More about this proxy pool">
          <MenuItem icon={Trash2} danger onSelect={() => deletion.current?.showModal()}>
            Delete…
          </MenuItem>
        </Menu>
      }
    >
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-4">
          <Trouble pool={pool} />
          <ExitsCard pool={pool} isTesting={test.isRunning} onTest={test.run} />
          <Rules pool={pool} onReload={onReload} />
        </div>
        <UsersCard pool={pool} />
      </div>
      <DeletePool dialog={deletion} pool={pool} />
    </Page>
  )
}

/** The page asks again and again: once something is typed, the version stays the one that it was typed over. */
function Rules({ pool, onReload }: ShownProps) {
  const change = proxyPools.useChange()
  const renew = useRenewPools()
  const toasts = useToasts()
  const seen = useRef(pool.version)
  const form = useForm<PoolFields>({
    initial: fieldsOf(pool),
    save: ({ changes, overwrite }) =>
      change.mutateAsync({
        id: pool.id,
        draft: changeOf(changes),
        version: overwrite ? undefined : seen.current,
      }),
  })
  if (!form.isDirty) seen.current = pool.version
  return (
    <Card title="Rules">
      <Form
        form={form}
        onReload={onReload}
        onSaved={() => {
          void renew()
          toasts.done(`Proxy pool “${form.value.name}” changed`)
        }}
      >
        <PoolFieldset form={form} />
      </Form>
    </Card>
  )
}

function Enabled({ pool }: { pool: ProxyPool }) {
  const { mutateAsync } = proxyPools.useChange()
  const toasts = useToasts()
  const [busy, setBusy] = useState(false)
  async function set(enabled: boolean): Promise<void> {
    setBusy(true)
    try {
      await mutateAsync({ id: pool.id, draft: { enabled } })
      toasts.done(`Proxy pool “${pool.name}” switched ${enabled ? 'on' : 'off'}`, () => void set(!enabled))
    } catch (cause) {
      toasts.failed(reasonOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return <Switch label="Enabled" checked={pool.enabled} disabled={busy} onChange={(on) => void set(on)} />
}

/** What calls meet now that no exit takes them. */
function Trouble({ pool }: { pool: ProxyPool }) {
  const { up, unknown } = exitCounts(pool)
  if (pool.enabled && up + unknown > 0) return null
  const why = pool.enabled ? 'No exit works.' : 'The pool is switched off.'
  return pool.strict ? (
    <Callout tone={pool.enabled ? 'danger' : 'caution'}>
      {why} Calls that leave through it fail, since it is strict.
    </Callout>
  ) : (
    <Callout tone="caution">{why} Calls that leave through it go direct, from this machine’s own address.</Callout>
  )
}
