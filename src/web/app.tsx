import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Api } from './api.ts'
import { AppContext, type AppParts } from './app-context.ts'
import { Connection } from './connection.ts'
import { makeQueryClient } from './resource.ts'
import { makeRouter } from './router.tsx'
import { Session } from './session.ts'
import { Announcer } from './shell/announcer.ts'
import { Commands } from './shell/commands.ts'
import { Toasts } from './shell/toasts.ts'
import { useStore } from './store.ts'

/** The page that everything but sign-in and set-up is part of. */
function start(root: HTMLElement): void {
  const session = new Session(localStorage)
  if (!session.isKnown) return toSignIn()
  const queries = makeQueryClient()
  const connection = new Connection(() => void queries.invalidateQueries())
  const app: AppParts = {
    session,
    connection,
    queries,
    api: new Api(session, connection),
    announcer: new Announcer(),
    toasts: new Toasts(),
    commands: new Commands(),
  }
  session.refresh().catch(() => connection.failed()) // the shell says so, and asks again
  createRoot(root).render(
    <StrictMode>
      <App app={app} router={makeRouter()} />
    </StrictMode>,
  )
}

function App({ app, router }: { app: AppParts; router: ReturnType<typeof makeRouter> }) {
  const state = useStore(app.session.state)
  if (state === 'closed') toSignIn()
  return (
    <AppContext value={app}>
      <QueryClientProvider client={app.queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </AppContext>
  )
}

/** Comes back to where it was. */
function toSignIn(): void {
  const { pathname, search } = location
  const next = pathname === '/' ? '' : `?next=${encodeURIComponent(pathname + search)}`
  location.replace(`/sign-in${next}`)
}

const root = document.getElementById('root')
if (root !== null) start(root)
