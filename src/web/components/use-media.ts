import { useSyncExternalStore } from 'react'

/** Below this the layout is a phone's: the `md` of the style sheet. */
export const PHONE = '(width < 48rem)'

/** Does the window match a media query? Where style alone cannot decide, such as the height of drawn rows. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}
