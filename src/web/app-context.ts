import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Api } from './api.ts'
import type { Connection } from './connection.ts'
import type { Session } from './session.ts'
import type { Announcer } from './shell/announcer.ts'
import type { Commands } from './shell/commands.ts'
import type { Toasts } from './shell/toasts.ts'

/** What lives as long as the page does, made once in app.tsx. */
export interface AppParts {
  readonly session: Session
  readonly connection: Connection
  readonly api: Api
  readonly queries: QueryClient
  readonly announcer: Announcer
  readonly toasts: Toasts
  readonly commands: Commands
}

export const AppContext = createContext<AppParts | undefined>(undefined)

/** Throws outside the application: a component that needs it cannot stand alone. */
export function useApp(): AppParts {
  const app = useContext(AppContext)
  if (app === undefined) throw new Error('this component needs the application around it')
  return app
}

export function useApi(): Api {
  return useApp().api
}

/** Says something to a screen reader, politely. */
export function useAnnounce(): (text: string) => void {
  return useApp().announcer.say
}

export function useToasts(): Toasts {
  return useApp().toasts
}
