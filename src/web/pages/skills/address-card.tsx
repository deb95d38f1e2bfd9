import { ExternalLink, Globe } from 'lucide-react'
import { Card } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'

/** Where anyone reads the skill as a document. */
export function AddressCard({ url }: { url: string }) {
  return (
    <Card title="Public address">
      <div className="flex items-center gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-2.5">
        <code className="min-w-0 flex-1 truncate text-caption" title={url}>
          {new URL(url).pathname}
        </code>
        <CopyButton text={url} label="Copy the address" />
        <OpenDocument href={url} label="Open the document in a new tab" />
      </div>
      <p className="mt-2 flex gap-2 text-caption text-muted">
        <Globe aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-caution" />
        Anyone with the address can read it, switched on or off. Keep secrets out.
      </p>
    </Card>
  )
}

export function OpenDocument({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      title={label}
      aria-label={label}
      className="touch inline-grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink"
    >
      <ExternalLink aria-hidden="true" size={15} strokeWidth={1.75} />
    </a>
  )
}
