/**
 * Who a failed way is held against. `exit`: it does not do its work. `beyond`: it says, or it looks as if, the fault is where it
 * was to lead to; only when that happens again and again is it the exit's.
 */
export type Blame = 'exit' | 'beyond'

export interface TunnelRefusal {
  /** What an exit did, as the end of a sentence: "an exit …". */
  readonly words: string
  /** For the log, of our making. */
  readonly detail: string
  readonly blame: Blame
}

/** After `refused` and `open` nothing more is pushed. */
export type TunnelStep =
  | { readonly kind: 'waits'; readonly send?: Uint8Array }
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly refusal: TunnelRefusal }

/** Asks a proxy to connect onwards: bytes in, bytes out, until the way is open. Total: any input gives a step. */
export interface Tunnel {
  /** What is sent first. */
  begin(): Uint8Array
  push(bytes: Uint8Array): TunnelStep
  /** Whether the proxy has been told where to connect to, so that its silence may be the other side's. */
  readonly isAsked: boolean
}

/** Where the exit is to connect to: a name for it to look up, or an address. */
export interface Onward {
  readonly host: string
  readonly port: number
}

export function refusedBy(words: string, detail: string, blame: Blame): TunnelStep {
  return { kind: 'refused', refusal: { words, detail, blame } }
}

/** Whoever speaks before the tunnel carries anything is not where we wanted to go. */
export function spokeTooSoon(): TunnelStep {
  return refusedBy('sent something that nobody asked for', 'surplus', 'exit')
}
