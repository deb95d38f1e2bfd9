import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

export interface CodeBlockProps {
  readonly code: string
  /** Above it: `Shell`, `~/.claude/settings.json`. */
  readonly title?: ReactNode
  readonly aside?: ReactNode
  /** What is copied when it is not what is shown, as where a secret is masked. */
  readonly copy?: string
  /** The same code, marked up. */
  readonly children?: ReactNode
  readonly maxHeight?: string
}

/** Code to read and to copy. Scrolls inside itself. */
export function CodeBlock({ code, title, aside, copy = code, children, maxHeight = '24rem' }: CodeBlockProps) {
  return (
    <figure className="overflow-hidden rounded-control border border-line bg-sunken">
      <figcaption className="flex h-8.5 items-center gap-3 border-b border-line pr-1.5 pl-3 text-caption">
        <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
        {aside && <span className="text-muted">{aside}</span>}
        <CopyButton text={copy} label="Copy the code" />
      </figcaption>
      <pre
        tabIndex={0}
        aria-label={typeof title === 'string' ? title : 'Code'}
        role="region"
        className="overflow-auto p-3 text-caption focus-visible:-outline-offset-2"
        style={{ maxHeight }}
      >
        <code>{children ?? code}</code>
      </pre>
    </figure>
  )
}
