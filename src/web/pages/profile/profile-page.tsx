import { Page } from '../../shell/page.tsx'

export default function ProfilePage() {
  return <Page title="Profile">…</Page>
}
