import { Field } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import type { FormState } from '../../components/use-form.ts'
import { useApiQuery } from '../../resource.ts'
import type { ProxyPool } from '../../wire.ts'
import type { AccountFields } from './account-draft.ts'

const INHERITED = { value: '', label: 'As its provider, else as everything' }
const DIRECT = { value: 'direct', label: 'No proxy: always direct' }

/** Which proxies the calls of the account leave through. A pool that is gone keeps its place: it takes no call, and none goes direct. */
export function ProxyChoice({ form }: { form: FormState<AccountFields> }) {
  const { proxy_pool_id } = form.value
  const { data: pools = [] } = useProxyPools()
  const options = [INHERITED, DIRECT, ...pools.map(({ id, name }) => ({ value: id, label: name }))]
  const isListed = options.some(({ value }) => value === proxy_pool_id)
  return (
    <Field
      label="Proxy"
      name="proxy_pool_id"
      hint="Its own choice beats that of its provider and the pool for everything."
    >
      <Select
        value={proxy_pool_id}
        options={isListed ? options : [...options, { value: proxy_pool_id, label: proxy_pool_id }]}
        onChange={(id) => form.set('proxy_pool_id', id)}
      />
    </Field>
  )
}

/** What the account's proxy is called, for reading. */
export function ProxyName({ id }: { id: string }) {
  const { data: pools } = useProxyPools()
  if (id === DIRECT.value) return <>none, always direct</>
  return <>{pools?.find((pool) => pool.id === id)?.name ?? id}</>
}

function useProxyPools() {
  return useApiQuery<readonly ProxyPool[]>('/v1/proxy-pools', { limit: 100, sort: 'name', order: 'asc' })
}
