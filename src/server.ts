/**
 * App → HTTP server. The only place that listens. It knows sockets and their limits; what a request means is the app's business.
 */
import { readFileSync } from 'node:fs'
import { failure, type Failure } from './core/failure.ts'
import { err, ok, type Result } from './core/result.ts'
import type { App } from './app.ts'

export interface ListenOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly tls: { readonly certPath: string; readonly keyPath: string } | null
}

export interface Server {
  readonly url: string
  /** Refuses new work and lets what runs finish; after `graceMs` what is left is ended. */
  stop(graceMs: number): Promise<void>
}

/** Slow senders and idle connections are closed after this much silence, in seconds. Inference turns it off while it answers. */
const IDLE_S = 30
/** The runtime's own cap; the limit of a route, always lower, is checked where the body is read. */
const BODY_BYTES_MAX = 512 * 1024 * 1024
const DRAIN_POLL_MS = 50

/** Failure: `connect`, when the address cannot be listened on or the certificate cannot be read. */
export function listen(app: App, options: ListenOptions): Result<Server, Failure> {
  try {
    return ok(start(app, options))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return err(failure('connect', `Cannot listen on ${options.host}:${options.port}: ${reason}`))
  }
}

function start(app: App, { host, port, tls }: ListenOptions): Server {
  const server = Bun.serve({
    hostname: host,
    port,
    idleTimeout: IDLE_S,
    maxRequestBodySize: BODY_BYTES_MAX,
    development: false,
    // Left out, it is true outside of development on Linux: two programs would each get some of the connections.
    reusePort: false,
    ...(tls === null ? {} : { tls: { cert: readFileSync(tls.certPath), key: readFileSync(tls.keyPath) } }),
    fetch: (request, listening) =>
      app.handle(request, {
        address: listening.requestIP(request)?.address ?? null,
        bodyRead: () => listening.timeout(request, 0),
        answered: () => listening.timeout(request, IDLE_S),
      }),
  })
  app.listensOn(server.port ?? port)
  return {
    url: server.url.href.replace(/\/$/, ''),
    stop: (graceMs) => stop(app, server, graceMs),
  }
}

async function stop(app: App, server: Bun.Server<undefined>, graceMs: number): Promise<void> {
  app.drain()
  const drained = server.stop()
  const deadline = app.clock.monotonicMs() + graceMs
  while (app.inFlight() > 0 && app.clock.monotonicMs() < deadline) await wait(app, DRAIN_POLL_MS)
  if (app.inFlight() > 0) {
    app.abortAll()
    await wait(app, DRAIN_POLL_MS)
    await server.stop(true)
  }
  // Connections without a stream, such as a slow sender's, have what is left of the same time.
  await Promise.race([drained, wait(app, Math.max(DRAIN_POLL_MS, deadline - app.clock.monotonicMs()))])
}

function wait(app: App, ms: number): Promise<void> {
  return new Promise((resolve) => void app.clock.after(ms, resolve))
}
