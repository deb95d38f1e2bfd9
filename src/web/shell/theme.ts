import { Store } from '../store.ts'

export type Theme = 'system' | 'light' | 'dark'

const YEAR_S = 365 * 24 * 3600

/** What the server has set on `<html>` from the cookie. */
export const theme = new Store<Theme>(read())

/** Shows it at once and keeps it in a cookie, from which the server sets it before the first paint. */
export function setTheme(chosen: Theme): void {
  const { dataset } = document.documentElement
  if (chosen === 'system') delete dataset['theme']
  else dataset['theme'] = chosen
  const age = chosen === 'system' ? 0 : YEAR_S
  document.cookie = `theme=${chosen}; path=/; max-age=${age}; samesite=lax`
  theme.set(chosen)
}

/** What is on screen, the system's choice resolved. */
export function shownTheme(): 'light' | 'dark' {
  const chosen = theme.get()
  if (chosen !== 'system') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function toggleTheme(): void {
  setTheme(shownTheme() === 'dark' ? 'light' : 'dark')
}

function read(): Theme {
  const set = globalThis.document?.documentElement.dataset['theme']
  return set === 'light' || set === 'dark' ? set : 'system'
}
