import { Page } from '../../shell/page.tsx'

export default function HomePage() {
  return (
    <Page title="Connect">
      <h2 className="text-page font-semibold">Connect in one minute</h2>
      <p className="mt-1 text-body text-muted">
        Your gateway answers at <code className="text-dense text-ink">{location.origin}</code>
      </p>
    </Page>
  )
}
