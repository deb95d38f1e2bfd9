import { CircleX, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError, NO_ANSWER } from '../api-error.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'

export interface ErrorStateProps {
  /** What failed: `The keys could not be read`. */
  readonly what: string
  readonly error: unknown
  /** What still works. */
  readonly stillWorks?: string
  readonly onRetry?: () => void
  readonly action?: ReactNode
}

/** Inside the card whose content is missing: what failed, why, what still works, what to do. */
export function ErrorState({ what, error, stillWorks, onRetry, action }: ErrorStateProps) {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <div role="alert" className="grid gap-1.5 p-4">
      <p className="flex items-center gap-2 text-body font-semibold">
        <CircleX aria-hidden="true" size={18} strokeWidth={1.75} className="text-danger" />
        {what}
      </p>
      <p className="text-dense text-muted">
        {reasonOf(error)} {stillWorks}
      </p>
      {requestId !== undefined && (
        <p className="flex items-center gap-1 text-caption text-muted">
          Request <code>{requestId}</code>
          <CopyButton text={requestId} label="Copy the request id" />
        </p>
      )}
      <div className="mt-2 flex gap-2">
        {onRetry && (
          <Button icon={RefreshCw} onClick={onRetry}>
            Try again
          </Button>
        )}
        {action}
      </div>
    </div>
  )
}

/** Why, as a sentence. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === NO_ANSWER) return 'The gateway does not answer.'
    const sentence = error.message.charAt(0).toUpperCase() + error.message.slice(1)
    return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
  }
  return error instanceof Error ? error.message : 'The reason is not known.'
}
