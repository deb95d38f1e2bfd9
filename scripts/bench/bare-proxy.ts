/**
 * What Bun costs by itself: the body read as bytes and sent on with `fetch`, the answer's body handed back. `argv[2]` is the
 * upstream. Prints its port.
 */
import { announcePort, upstreamUrl } from './child.ts'

const upstream = upstreamUrl()

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const headers = { 'content-type': 'application/json' }
    return fetch(`${upstream}${pathname}`, {
      method: 'POST',
      headers,
      body: await request.arrayBuffer(),
      signal: request.signal,
    })
  },
})
announcePort(server.port)
