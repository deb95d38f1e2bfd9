/**
 * What stands around every page: navigation, bar, palette, notices. It holds no page's data and knows no resource but who is
 * signed in. Invariant: whatever a page does, the way to every other page stays on screen.
 */
import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ConnectionBar } from './connection-bar.tsx'
import { LiveRegions } from './live-regions.tsx'
import { NavigatedContext } from './page.tsx'
import { PaletteDialog, usePalette } from './palette-dialog.tsx'
import { PhoneBar } from './phone-bar.tsx'
import { SessionDialog } from './session-dialog.tsx'
import { ShortcutHelp, useShortcutHelp } from './shortcut-help.tsx'
import { useShortcuts } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { ToastList } from './toast-list.tsx'
import { TitleSlot, TopBar } from './top-bar.tsx'

export function Shell() {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const palette = usePalette()
  const help = useShortcutHelp()
  useShortcuts({ palette: palette.toggle, help: help.open })
  return (
    <TitleSlot value={slot}>
      <NavigatedContext value={useNavigated()}>
        <a
          href="#content"
          className="sr-only z-50 rounded-control bg-raised px-3 py-2 text-dense font-medium text-accent shadow-overlay focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to the content
        </a>
        <div className="flex min-h-dvh">
          <Sidebar />
          <div className="flex min-w-0 flex-1 flex-col">
            <TopBar slot={setSlot} onSearch={palette.open} />
            <ConnectionBar />
            <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none max-md:pb-16">
              <Outlet />
            </main>
          </div>
        </div>
        <PhoneBar />
        <ToastList />
        <LiveRegions />
        <PaletteDialog palette={palette} onHelp={help.open} />
        <ShortcutHelp help={help} />
        <SessionDialog />
      </NavigatedContext>
    </TitleSlot>
  )
}

/** Set by the first navigation to another path. */
function useNavigated() {
  const navigated = useRef(false)
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation !== undefined) navigated.current = true
      }),
    [router],
  )
  return navigated
}
