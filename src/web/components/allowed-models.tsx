import { Ban, Check, Search } from 'lucide-react'
import { useState } from 'react'
import { allowsModel, matchesPattern } from '../../core/model-pattern.ts'
import { Input } from './input.tsx'
import { plural } from '../format/count.ts'
import { useGatewayModels } from '../gateway-models.ts'

export interface ModelRules {
  /** Null allows all. */
  readonly allow: readonly string[] | null
  readonly deny: readonly string[] | null
}

/** How many of the models that answer now the rules let through. */
function useAllowedCount({ allow, deny }: ModelRules): { readonly allowed: number; readonly all: number } {
  const { names } = useGatewayModels()
  return { allowed: names.filter((name) => allowsModel(name, allow, deny)).length, all: names.length }
}

/** Tries the rules on a name, before they are saved and afterwards: what the gateway would say, and which rule says it. */
export function AllowedModels({ allow, deny }: ModelRules) {
  const [text, setText] = useState('')
  const { names } = useGatewayModels()
  const { allowed, all } = useAllowedCount({ allow, deny })
  const name = text.trim()
  return (
    <div className="rounded-control border border-line bg-sunken p-2">
      <Input
        mono
        icon={Search}
        aria-label="Try a model name"
        placeholder="Try a model name"
        list="allowed-models"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <datalist id="allowed-models">
        {names.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <p role="status" className="mt-2 flex min-h-5 flex-wrap items-center gap-1.5 px-1 text-caption text-muted">
        {name === '' ? (
          `Of ${plural(all, 'model')} that can answer now, ${allowed} may be used.`
        ) : (
          <Verdict {...{ name, allow, deny }} />
        )}
      </p>
    </div>
  )
}

function Verdict({ name, allow, deny }: ModelRules & { name: string }) {
  const denied = deny?.find((pattern) => matchesPattern(pattern, name))
  const granted = allow?.find((pattern) => matchesPattern(pattern, name))
  if (denied !== undefined) return <Answer isAllowed={false} word="denied by" pattern={denied} />
  if (allow === null) return <Answer isAllowed word="allowed, as all are" />
  return granted === undefined ? (
    <Answer isAllowed={false} word="not allowed by any pattern" />
  ) : (
    <Answer isAllowed word="allowed by" pattern={granted} />
  )
}

function Answer({ isAllowed, word, pattern }: { isAllowed: boolean; word: string; pattern?: string }) {
  const Icon = isAllowed ? Check : Ban
  return (
    <span
      className={
        isAllowed ? 'inline-flex items-center gap-1.5 text-clear' : 'inline-flex items-center gap-1.5 text-danger'
      }
    >
      <Icon aria-hidden="true" size={15} strokeWidth={2} />
      {word} {pattern !== undefined && <code>{pattern}</code>}
    </span>
  )
}
