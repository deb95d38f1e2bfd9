import { Check, Copy } from 'lucide-react'
import { useContext, useEffect, useState } from 'react'
import { AppContext } from '../app-context.ts'
import { buttonClass, type ButtonTone } from './button.tsx'
import { copyText } from './copy-text.ts'

const CHECK_MS = 2_000

export interface CopyButtonProps {
  readonly text: string
  /** What it does, for screen readers and on hover; shown when `labelled` is set. */
  readonly label?: string
  readonly labelled?: boolean
  readonly tone?: ButtonTone
  /** Called when the text is on the clipboard. */
  readonly onCopied?: () => void
}

/** Copies, shows a check for two seconds and says so. */
export function CopyButton({ text, label = 'Copy', labelled = false, tone = 'quiet', onCopied }: CopyButtonProps) {
  const app = useContext(AppContext) // the door has none
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), CHECK_MS)
    return () => clearTimeout(timer)
  }, [state])
  async function copy(): Promise<void> {
    const isDone = await copyText(text)
    setState(isDone ? 'copied' : 'refused')
    app?.announcer.say(isDone ? 'Copied' : 'The browser refused to copy')
    if (isDone) onCopied?.()
  }
  const Icon = state === 'copied' ? Check : Copy
  const word = state === 'copied' ? 'Copied' : state === 'refused' ? 'Select and copy' : label
  return (
    <button
      type="button"
      title={labelled ? undefined : word}
      aria-label={labelled ? undefined : word}
      onClick={() => void copy()}
      className={
        labelled
          ? buttonClass({ tone })
          : 'inline-grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink'
      }
    >
      <Icon aria-hidden="true" size={labelled ? 16 : 15} strokeWidth={1.75} />
      {labelled && word}
    </button>
  )
}
