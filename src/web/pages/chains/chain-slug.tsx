import { CopyButton } from '../../components/copy-button.tsx'

/** What clients write as their model, to copy. */
export function ChainSlug({ slug }: { slug: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="text-dense text-muted">chain/{slug}</code>
      <CopyButton text={`chain/${slug}`} label={`Copy chain/${slug}`} />
    </span>
  )
}
