import { Skeleton } from '../components/skeleton.tsx'

/** While a page's code is on its way. */
export function PendingPage() {
  return (
    <div className="px-4 pt-5 md:px-6">
      <Skeleton rows={6} />
    </div>
  )
}
