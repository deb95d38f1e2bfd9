import { useRef } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { ProxyPool } from '../../wire.ts'
import { proxyPools, useTestPool } from './data.ts'
import { NEW_FIELDS, newOf, type PoolFields } from './pool-draft.ts'
import { PoolFieldset } from './pool-fields.tsx'

export default function NewProxyPoolPage() {
  const create = proxyPools.useCreate()
  const test = useTestPool()
  const toasts = useToasts()
  const go = useGo()
  const created = useRef<ProxyPool>(undefined)
  const form = useForm<PoolFields>({
    initial: NEW_FIELDS,
    save: async ({ value }) => {
      created.current = await create.mutateAsync(newOf(value))
    },
  })
  function onSaved(): void {
    const pool = created.current
    if (pool === undefined) return
    void test(pool.id).catch(() => undefined) // its page can test again
    toasts.done(`Proxy pool “${pool.name}” created. Its exits are being tested.`)
    go(`/proxy-pools/${pool.id}`)
  }
  return (
    <Page title="New proxy pool" docs="proxies" trail={[{ label: 'Proxy pools', to: '/proxy-pools' }]} width="form">
      <Card>
        <Form form={form} isNew saveLabel="Create pool" onCancel={() => go('/proxy-pools')} onSaved={onSaved}>
          <PoolFieldset form={form} />
        </Form>
      </Card>
    </Page>
  )
}
