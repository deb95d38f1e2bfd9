import { ButtonLink } from '../components/button-link.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Page } from './page.tsx'

/** For addresses that lead nowhere. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState title="There is no page here" action={<ButtonLink to="/">Back to the start</ButtonLink>}>
        The address may be mistyped, or what it named may be gone.
      </EmptyState>
    </Page>
  )
}
