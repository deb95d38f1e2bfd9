import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '../components/error-state.tsx'
import { Page } from './page.tsx'

/** A page that could not be loaded or drawn. The others still work. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="Something went wrong">
      <ErrorState what="This page could not be shown" error={error} onRetry={reset} />
    </Page>
  )
}
