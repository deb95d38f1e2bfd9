import * as Radix from '@radix-ui/react-tooltip'
import type { ReactElement, ReactNode } from 'react'

const DELAY_MS = 400

/** More about a control, on hover and focus. Never the only place of something that has to be read. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Radix.Provider delayDuration={DELAY_MS} disableHoverableContent>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-72 rounded-control border border-line bg-raised px-2 py-1 text-caption text-ink shadow-overlay"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
