import { ChevronLeft, ChevronRight } from 'lucide-react'
import { countText } from '../format/count.ts'
import type { ListMetadata } from '../wire.ts'
import { IconButton } from './icon-button.tsx'

/** Which part of a list is on screen, and the way to the others. Nothing while all of it is. */
export function Paging({ page, onOffset }: { page: ListMetadata; onOffset: (offset: number) => void }) {
  const { total, offset, limit } = page
  if (total <= limit && offset === 0) return null
  const last = Math.min(total, offset + limit)
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-end gap-1 border-t border-line px-4 py-1.5 text-caption text-muted"
    >
      <span className="mr-2">
        {countText(Math.min(offset + 1, total))} to {countText(last)} of {countText(total)}
      </span>
      <IconButton
        icon={ChevronLeft}
        label="Previous page"
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(0, offset - limit))}
      />
      <IconButton
        icon={ChevronRight}
        label="Next page"
        disabled={last >= total}
        onClick={() => onOffset(offset + limit)}
      />
    </nav>
  )
}
