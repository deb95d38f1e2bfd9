import { useApp } from '../app-context.ts'
import { useStore } from '../store.ts'

/** The two places that screen readers listen to. */
export function LiveRegions() {
  const { announcer } = useApp()
  const polite = useStore(announcer.polite)
  const assertive = useStore(announcer.assertive)
  return (
    <>
      <div className="sr-only" aria-live="polite">
        {polite}
      </div>
      <div className="sr-only" aria-live="assertive">
        {assertive}
      </div>
    </>
  )
}
