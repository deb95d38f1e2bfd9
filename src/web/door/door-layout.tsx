import { type ReactNode, useEffect } from 'react'
import { Logo } from '../components/logo.tsx'
import { TracksPicture } from './tracks-picture.tsx'

/** The form on the left; on wide screens what the program does on the right. */
export function DoorLayout({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Signalbox`
  }, [title])
  return (
    <div className="grid min-h-dvh lg:grid-cols-[54fr_46fr]">
      <main className="grid content-center px-6 py-12 sm:px-24 min-[1800px]:justify-items-center">
        <div className="w-full max-w-100">
          <p className="mb-8 flex items-center gap-3 text-page font-semibold">
            <Logo className="size-9" />
            Signalbox
          </p>
          <h1 className="text-figure font-semibold">{title}</h1>
          <p className="mt-1.5 text-body text-muted">{lead}</p>
          {children}
        </div>
      </main>
      <div aria-hidden="true" className="hidden overflow-hidden border-l border-line bg-sunken lg:block">
        <TracksPicture />
      </div>
    </div>
  )
}
