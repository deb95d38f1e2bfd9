import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { Page } from '../../shell/page.tsx'
import { useSettings } from './data.ts'
import { SettingsForm } from './settings-form.tsx'
import { StopAll } from './stop-all.tsx'

/** What the owner may tune, and the one switch that stops everything. */
export default function SettingsPage() {
  const query = useSettings()
  return (
    <Page title="Settings" docs="settings" width="form">
      <Loaded query={query} what="The settings could not be read">
        {(settings) => (
          <div className="grid gap-4">
            <StopAll isPaused={settings.routing.paused} />
            <Card flush>
              <div className="px-4">
                <SettingsForm settings={settings} onReload={() => void query.refetch()} />
              </div>
            </Card>
            <p className="text-caption text-muted">
              {settings.version > 1 && (
                <>
                  Last changed <RelativeTime at={settings.updated_at} />.{' '}
                </>
              )}
              A field’s name in the API is in its label’s tooltip.
            </p>
          </div>
        )}
      </Loaded>
    </Page>
  )
}
