import type { Exit } from './exit.ts'
import { HttpConnect } from './http-connect.ts'
import { Socks5 } from './socks5.ts'
import type { Onward, Tunnel } from './tunnel.ts'

/** The way in which an exit of this kind is asked to connect onwards. */
export function tunnelThrough({ kind, login }: Exit, onward: Onward): Tunnel {
  return kind === 'http' || kind === 'https' ? new HttpConnect(onward, login) : new Socks5(onward, login)
}
