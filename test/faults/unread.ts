/** Providers that do not read what they are sent: they answer before the end of a long question, or not at all. */
import type { Socket } from 'node:net'
import { listens } from './connecting.ts'
import { failed, type Fault, type Patience } from './fault.ts'

/** More than the kernel takes on its way to someone who does not read. */
const LONG_BYTES = 12 * 1024 * 1024
/** Longer than the program waits. */
const DEAF_MS = 1_000
const HASTY: Patience = { first_token_ms: 400, total_ms: 400 }

const TOO_LARGE = JSON.stringify({
  type: 'error',
  error: { type: 'request_too_large', code: 'too_large', message: 'no' },
})
const REFUSAL = `HTTP/1.1 413 Too Large\r\ncontent-type: application/json\r\ncontent-length: ${TOO_LARGE.length}\r\n\r\n${TOO_LARGE}`

/** Reads nothing more after the first bytes, until it is time to see who is still there. */
const deaf = (says: string) => (socket: Socket) => {
  socket.once('data', () => {
    socket.pause()
    socket.write(says)
    setTimeout(() => socket.resume(), DEAF_MS)
  })
}

export const UNREAD: readonly Fault[] = [
  {
    name: 'a refusal before the question was read',
    bytes: LONG_BYTES,
    host: () => listens('http', deaf(REFUSAL)),
    outcome: failed('rejected', { status: 413, messagesType: 'request_too_large' }),
  },
  {
    name: 'a question that is never read',
    bytes: LONG_BYTES,
    patience: HASTY,
    host: () => listens('http', deaf('')),
    outcome: failed('timeout'),
  },
]
