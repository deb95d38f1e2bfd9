import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { LeaveGuard } from './leave-guard.tsx'

export interface SecretOnceProps {
  readonly secret: string
  /** `Key`: what it is, for screen readers. */
  readonly what: string
  /** How it can be read later, if it can: `Reading it again is a recorded act.` */
  readonly later: string
  readonly onClose?: () => void
}

/** A secret at the only moment that it is shown. In the page, not in a dialog; leaving asks until it has been copied. */
export function SecretOnce({ secret, what, later, onClose }: SecretOnceProps) {
  const [isCopied, setCopied] = useState(false)
  return (
    <div>
      <div className="flex items-center gap-2 rounded-control border border-accent bg-accent-soft py-1 pr-1 pl-3">
        <code
          role="textbox"
          aria-readonly="true"
          aria-label={what}
          tabIndex={0}
          className="min-w-0 flex-1 truncate text-dense select-all"
        >
          {secret}
        </code>
        <CopyButton text={secret} labelled tone="primary" onCopied={() => setCopied(true)} />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
        <p className="flex flex-1 items-center gap-2 text-caption text-muted">
          <EyeOff aria-hidden="true" size={15} strokeWidth={1.75} className="shrink-0 text-caution" />
          Shown once. {later}
        </p>
        {onClose && (
          <Button small tone={isCopied ? 'plain' : 'quiet'} onClick={onClose}>
            {isCopied ? 'Done' : 'I have stored it'}
          </Button>
        )}
      </div>
      <LeaveGuard active={!isCopied} title={`Leave before it is stored?`}>
        This is the only time that it is shown. Copy it first.
      </LeaveGuard>
    </div>
  )
}
