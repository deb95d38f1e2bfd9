import { useToasts } from '../../app-context.ts'
import { reasonOf } from '../../components/error-state.tsx'
import { resource } from '../../resource.ts'
import type { Key, KeyChange, NewKey } from '../../wire.ts'

export const keys = resource<Key, NewKey, KeyChange>('/v1/keys')

export function keyHref({ id }: Pick<Key, 'id'>): string {
  return `/keys/${encodeURIComponent(id)}`
}

/** Switches keys on or off at once, and offers to take it back. */
export function useSwitchKeys(): (chosen: readonly Key[], status: 'active' | 'disabled') => Promise<void> {
  const change = keys.useChange()
  const toasts = useToasts()
  const put = (chosen: readonly Key[], status: 'active' | 'disabled') =>
    Promise.all(chosen.map(({ id }) => change.mutateAsync({ id, draft: { status } })))
  return async (chosen, status) => {
    const changed = chosen.filter((key) => (key.status === 'disabled') === (status === 'active'))
    const back = status === 'active' ? 'disabled' : 'active'
    const failed = (cause: unknown): void => toasts.failed(`Not every key was changed. ${reasonOf(cause)}`)
    try {
      await put(changed, status)
      const word = status === 'active' ? 'enabled' : 'disabled'
      const [first] = changed
      const who = changed.length === 1 && first ? `“${first.name}” is` : `${changed.length} keys are`
      toasts.done(`${who} ${word}`, () => void put(changed, back).catch(failed))
    } catch (cause) {
      failed(cause)
    }
  }
}
