import { Box, CircleDashed, CircleX, Split, Tags, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { providerIdOf, useProvidersById, useTargetNames } from '../target-names.ts'
import type { Provider } from '../wire.ts'
import { classNames } from './class-names.ts'
import { Input } from './input.tsx'

/** A tile for what a step or a target leads to: the first letter of its provider, or the sign of a chain or an alias. */
export function TargetMark({ model }: { model: string }) {
  const provider = useProvidersById().get(providerIdOf(model) ?? '')
  const Icon = model === '' ? Box : model.startsWith('chain/') ? Split : Tags
  return (
    <span
      aria-hidden="true"
      className="grid size-6 shrink-0 place-items-center rounded-control border border-line bg-sunken text-caption font-semibold text-muted"
    >
      {provider?.name.charAt(0) ?? providerIdOf(model)?.charAt(0).toUpperCase() ?? (
        <Icon size={14} strokeWidth={1.75} />
      )}
    </span>
  )
}

/** What is wrong with where it leads, as far as its provider tells; nothing when all is well. */
export function TargetHealth({ model }: { model: string }) {
  const providers = useProvidersById()
  const id = providerIdOf(model)
  if (id === undefined || providers.size === 0) return null
  const trouble = troubleOf(providers.get(id), id)
  if (trouble === undefined) return null
  const { icon: Icon, text, tone } = trouble
  return (
    <span className="inline-flex items-center gap-1 text-caption text-muted">
      <Icon aria-hidden="true" size={14} strokeWidth={1.75} className={classNames('shrink-0', tone)} />
      {text}
    </span>
  )
}

function troubleOf(provider: Provider | undefined, id: string) {
  if (provider === undefined) return { icon: CircleDashed, text: `${id} has no account`, tone: 'text-muted' }
  const { accounts, health, name } = provider
  if (health.status === 'down') return { icon: CircleX, text: `${name} is down`, tone: 'text-danger' }
  if (health.status === 'degraded') return { icon: TriangleAlert, text: `${name} fails often`, tone: 'text-caution' }
  if (accounts.total > 0 && accounts.active === 0)
    return { icon: TriangleAlert, text: `no account of ${name} is usable now`, tone: 'text-caution' }
  return undefined
}

export interface TargetInputProps {
  /** `<provider>/<model>`, an alias or a chain. */
  readonly value: string
  readonly onChange: (model: string) => void
  /** From `TargetOptions`. */
  readonly list: string
}

/** The name of a model, an alias or a chain, offered while it is typed. Put it in a `Field` below a `TargetOptions`. */
export function TargetInput({ value, onChange, list }: TargetInputProps) {
  return (
    <Input
      mono
      list={list}
      placeholder="provider/model, alias or chain"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      onChange={({ target }) => onChange(target.value.trim())}
    />
  )
}

/** The known names, once for all inputs inside. */
export function TargetOptions({ except, children }: { except?: string; children: (list: string) => ReactNode }) {
  const id = useId()
  const names = useTargetNames().filter(({ name }) => name !== except)
  return (
    <>
      <datalist id={id}>
        {names.map(({ name, kind }) => (
          <option key={name} value={name} label={kind === 'model' ? undefined : kind} />
        ))}
      </datalist>
      {children(id)}
    </>
  )
}
