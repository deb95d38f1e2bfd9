import { useApiQuery } from '../resource.ts'
import type { ProxyPool } from '../wire.ts'
import { Field } from './field.tsx'
import { Select } from './select.tsx'

const DIRECT = { value: 'direct', label: 'No proxy: always direct' }

export interface ProxyChoiceProps {
  /** A pool's id, `direct`, or empty for whatever holds without it. */
  readonly value: string
  /** What holds without it, such as `As everything`. */
  readonly inherited: string
  readonly hint: string
  readonly onChange: (id: string) => void
}

/** Which proxies calls leave through. A pool that is gone keeps its place: it takes no call, and none goes direct. */
export function ProxyChoice({ value: chosen, inherited, hint, onChange }: ProxyChoiceProps) {
  const { data: pools = [] } = useProxyPools()
  const options = [
    { value: '', label: inherited },
    DIRECT,
    ...pools.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const isListed = options.some(({ value }) => value === chosen)
  return (
    <Field label="Proxy" name="proxy_pool_id" hint={hint}>
      <Select
        value={chosen}
        options={isListed ? options : [...options, { value: chosen, label: chosen }]}
        onChange={onChange}
      />
    </Field>
  )
}

/** What somebody's proxy is called, for reading. */
export function ProxyName({ id }: { id: string }) {
  const { data: pools } = useProxyPools()
  if (id === DIRECT.value) return <>none, always direct</>
  return <>{pools?.find((pool) => pool.id === id)?.name ?? id}</>
}

function useProxyPools() {
  return useApiQuery<readonly ProxyPool[]>('/v1/proxy-pools', { limit: 100, sort: 'name', order: 'asc' })
}
