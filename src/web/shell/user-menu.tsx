import { Link } from '@tanstack/react-router'
import { CircleUser, LogOut, type LucideIcon, Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { useApp } from '../app-context.ts'
import { menuItemClass } from '../components/menu.tsx'
import { Popover, PopoverClose } from '../components/popover.tsx'
import { useApiQuery } from '../resource.ts'
import { useStore } from '../store.ts'
import type { Profile } from '../wire.ts'
import { setTheme, theme, type Theme } from './theme.ts'

const THEMES: readonly { readonly id: Theme; readonly label: string; readonly icon: LucideIcon }[] = [
  { id: 'system', label: 'System', icon: Monitor },
  { id: 'light', label: 'Light', icon: Sun },
  { id: 'dark', label: 'Dark', icon: Moon },
]

export function useProfile() {
  return useApiQuery<Profile>('/v1/auth/me')
}

/** Ends every session of the user, here and elsewhere. */
export function useSignOut(): () => Promise<void> {
  const { api, session } = useApp()
  return async () => {
    await api.post('/v1/auth/sign-out').catch(() => undefined) // without an answer this browser forgets all the same
    session.close()
  }
}

export function UserMenu() {
  const { data: profile } = useProfile()
  const email = profile?.email ?? ''
  return (
    <Popover
      label="You"
      align="end"
      trigger={
        <button
          type="button"
          className="touch grid size-7.5 shrink-0 place-items-center rounded-full bg-accent-soft text-caption font-semibold text-accent-ink coarse:rounded-full"
        >
          <span aria-hidden="true">{email.slice(0, 2).toUpperCase()}</span>
          <span className="sr-only">You: {email}</span>
        </button>
      }
    >
      <div className="w-60">
        <p className="truncate px-2.5 pt-1.5 pb-2 text-dense font-medium" title={email}>
          {email}
        </p>
        <UserActs closing />
      </div>
    </Popover>
  )
}

/** Theme, profile and sign-out: in the menu of wide screens and in the sheet of phones. */
export function UserActs({ closing = false, onAct }: { closing?: boolean; onAct?: () => void }) {
  const signOut = useSignOut()
  const profile = (
    <Link to="/profile" onClick={onAct} className={menuItemClass()}>
      <CircleUser aria-hidden="true" size={16} strokeWidth={1.75} />
      Profile
    </Link>
  )
  return (
    <div className="border-t border-line pt-1.5">
      <ThemeChoice />
      {closing ? <PopoverClose asChild>{profile}</PopoverClose> : profile}
      <button type="button" onClick={() => void signOut()} className={menuItemClass()}>
        <LogOut aria-hidden="true" size={16} strokeWidth={1.75} />
        Sign out everywhere
      </button>
    </div>
  )
}

function ThemeChoice() {
  const chosen = useStore(theme)
  const group = useId() // the phone's sheet has the same choice
  return (
    <fieldset className="px-2.5 pb-2">
      <legend className="pb-1 text-caption text-muted">Theme</legend>
      <div className="grid grid-cols-3 rounded-control border border-line bg-sunken p-0.5">
        {THEMES.map(({ id, label, icon: Icon }) => (
          <label
            key={id}
            className="touch relative flex h-7 cursor-pointer items-center justify-center gap-1.5 rounded-chip text-caption text-muted has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={group}
              className="sr-only"
              checked={chosen === id}
              onChange={() => setTheme(id)}
            />
            <Icon aria-hidden="true" size={14} strokeWidth={1.75} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
