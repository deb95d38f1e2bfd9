import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from './address.ts'
import { PAGES } from './pages/index.ts'
import { BrokenPage } from './shell/broken-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { PendingPage } from './shell/pending-page.tsx'
import { Shell } from './shell/shell.tsx'

/** After this long a page that is still loading shows its outline. */
const PENDING_MS = 150

/** Every page inside the shell, each loaded when it is first opened. */
export function makeRouter() {
  const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage })
  const pages = PAGES.flatMap(({ routes }) => routes).map(({ path, load }) =>
    createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) }),
  )
  return createRouter({
    routeTree: root.addChildren(pages),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: PENDING_MS,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: BrokenPage,
    scrollRestoration: true,
  })
}
