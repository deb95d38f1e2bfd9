import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SetUpPage } from './door/set-up-page.tsx'
import { SignInPage } from './door/sign-in-page.tsx'

/** Sign-in and set-up, apart from everything else so that they load fast: no router, no cache, one chunk with React in it. */
function start(root: HTMLElement): void {
  createRoot(root).render(<StrictMode>{location.pathname === '/setup' ? <SetUpPage /> : <SignInPage />}</StrictMode>)
}

const root = document.getElementById('root')
if (root !== null) start(root)
