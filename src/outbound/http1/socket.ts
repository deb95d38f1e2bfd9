import type { Socket, SocketHandler } from 'bun'
import { codeOf } from '../connect-failure.ts'

/** What a connection needs of the bytes' way: a socket of the runtime, or TLS inside another TLS connection. */
export interface Wire {
  /** Who is told what happens here. */
  data: SocketOwner
  /** Above zero while it can be written to. */
  readonly readyState: number
  /** How many bytes were taken, negative when it is closed; `drained` says when it takes the rest. */
  write(bytes: Uint8Array): number
  pause(): void
  resume(): void
  ref(): void
  unref(): void
  terminate(): void
}

/** What is reported about a wire, whoever owns it at the moment: first its dialling, then its connection. */
export interface SocketOwner {
  opened(socket: Socket<SocketOwner>): void
  /** After a TLS handshake; an error is why the certificate is not believed. */
  secured(wire: Wire, error: Error | null): void
  drained(): void
  received(bytes: Uint8Array): void
  closed(code: string | undefined): void
}

/** One set for all sockets, as the runtime likes it: who is meant stands in the socket's `data`. */
export const SOCKET_HANDLERS: SocketHandler<SocketOwner> = {
  open: (socket) => socket.data.opened(socket),
  handshake: (socket, isTrusted, error) =>
    socket.data.secured(socket, isTrusted ? null : (error ?? new Error('not trusted'))),
  data: (socket, bytes) => socket.data.received(bytes),
  drain: (socket) => socket.data.drained(),
  close: (socket, error) => socket.data.closed(error === undefined || error === null ? undefined : codeOf(error)),
  error: (socket, error) => {
    socket.data.closed(codeOf(error))
    socket.terminate()
    // What a handler of ours threw has no system's code: it is a bug, and belongs to the process-wide handlers.
    if (!('code' in error)) reportError(error)
  },
  connectError: (socket, error) => socket.data.closed(codeOf(error)),
}

/** Owns the lower half of a socket whose upper half speaks TLS: all that matters is reported to the upper one, too. */
export const LOWER_HALF: SocketOwner = {
  opened: () => {},
  secured: () => {},
  drained: () => {},
  received: () => {},
  closed: () => {},
}
