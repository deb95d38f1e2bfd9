import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { reasonOf } from './error-state.tsx'

const SHOWN_MS = 30_000

export interface MaskedSecretProps {
  readonly masked: string
  /** `key`: part of the button's name. */
  readonly what: string
  /** Reads it from the server, which writes that down. Without it the secret cannot be shown. */
  readonly onReveal?: (() => Promise<string>) | undefined
}

/** Shows a secret on purpose and hides it again after half a minute. */
export function MaskedSecret({ masked, what, onReveal }: MaskedSecretProps) {
  const [secret, setSecret] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (secret === undefined) return undefined
    const timer = setTimeout(() => setSecret(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [secret])
  async function reveal(): Promise<void> {
    if (onReveal === undefined) return
    setBusy(true)
    setError(undefined)
    try {
      setSecret(await onReveal())
    } catch (cause) {
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  const isShown = secret !== undefined
  return (
    <div>
      <div className="flex items-center gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 truncate text-dense">{secret ?? masked}</code>
        {isShown && <CopyButton text={secret} label={`Copy the ${what}`} />}
        {onReveal && (
          <Button
            small
            tone="quiet"
            icon={isShown ? EyeOff : Eye}
            busy={busy}
            onClick={() => (isShown ? setSecret(undefined) : void reveal())}
          >
            {isShown ? 'Hide' : 'Reveal'}
            <span className="sr-only"> the {what}</span>
          </Button>
        )}
      </div>
      {onReveal && <p className="mt-1.5 text-caption text-faint">Hides again after 30 s. Written to the audit log.</p>}
      {error !== undefined && (
        <p role="alert" className="mt-1 text-caption text-danger">
          {reasonOf(error)}
        </p>
      )}
    </div>
  )
}
