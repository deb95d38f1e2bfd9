/**
 * Our own HTTP/1.1 on bare sockets: a quarter to a half cheaper per request than the platform's `fetch`, without its ceiling. It
 * speaks to addresses that the connector has chosen, through exits that it has chosen. One socket carries one request at a
 * time; a reply that is not exactly HTTP/1.1 ends its connection, so that no byte of it can reach the next request.
 */
import { assert } from '../../core/assert.ts'
import type { Client, ClientDeps, Dial } from '../client.ts'
import type { OutboundRequest } from '../transport.ts'
import { Connection, type Answer, type ConnectionDeps } from './connection.ts'
import { decoded } from './decoded.ts'
import { dialSocket } from './dial.ts'
import { Pool } from './pool.ts'
import { requestBytes } from './request-bytes.ts'

export function makeHttp1Client(deps: ClientDeps): Client {
  const pool = new Pool(deps.clock)
  const connectionDeps: ConnectionDeps = {
    nowMs: () => deps.clock.monotonicMs(),
    release: (connection, idleSeconds) => pool.put(connection, idleSeconds),
    gone: (connection) => pool.forget(connection),
  }

  async function onNewConnection(dial: Dial, request: OutboundRequest, bytes: readonly Buffer[]): Promise<Answer> {
    const socket = await dialSocket(dial, request.signal, deps)
    if (!socket.ok) return socket
    const connection = new Connection(originOf(dial), dial.target.where, socket.value, connectionDeps)
    socket.value.data = connection
    return await connection.exchange(bytes, request.signal)
  }

  return async (dial, request) => {
    const bytes = requestBytes(dial.target, request)
    if (!bytes.ok) return bytes
    const idle = pool.take(originOf(dial))
    let answer: Answer = idle === undefined ? 'stale' : await idle.exchange(bytes.value, request.signal)
    if (answer === 'stale') answer = await onNewConnection(dial, request, bytes.value)
    assert(answer !== 'stale', 'a new connection is not stale')
    return answer.ok && request.undecoded !== true ? decoded(answer.value, dial.target.where) : answer
  }
}

/** Connections are shared by what was proven about them: scheme, name, port, the address that was checked, and the exit. */
function originOf({ target, address, via }: Dial): string {
  const direct = `${target.isTls ? 'https' : 'http'}://${target.where}@${address ?? ''}`
  return via === undefined ? direct : `${direct} by ${via.exit.key} to ${via.onward}`
}
