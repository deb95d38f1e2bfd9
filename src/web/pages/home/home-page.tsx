import { useEffect } from 'react'
import { useGo } from '../../address.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Page } from '../../shell/page.tsx'
import { useRecentRequests } from '../../recent-requests.ts'

/** Before the first request there is something to connect, afterwards something to look at. */
export default function HomePage() {
  const go = useGo()
  const { data, error, refetch } = useRecentRequests()
  const hasTraffic = data && data.metadata.total > 0
  useEffect(() => {
    if (hasTraffic !== undefined) go(hasTraffic ? '/overview' : '/connect', { replace: true })
  }, [hasTraffic, go])
  return (
    <Page title="Home">
      {error !== null && data === undefined ? (
        <ErrorState what="The usage could not be read" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton />
      )}
    </Page>
  )
}
