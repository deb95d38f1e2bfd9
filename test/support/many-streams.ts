/**
 * A process of its own that opens many streams at once through the connector, lets all their callers leave, and prints how many
 * flowed and how long the last connection took to close: `bun many-streams.ts <count>`.
 */
import { makeSend } from '../../src/outbound/connector.ts'
import { HandClock } from './clock.ts'
import { stream } from './plays.ts'
import { playProvider } from './provider.ts'

const [, , count] = process.argv
const provider = playProvider()
provider.otherwise(stream(['data: 1\n\n', 'silence']))
const send = makeSend({
  clock: new HandClock(),
  lookup: async (host) => [host],
  proxy: undefined,
  isOwnListener: () => false,
  portsAllowed: new Set(),
})

const gone = new AbortController()
const replies = Array.from({ length: Number(count) }, () =>
  send({
    method: 'POST',
    url: provider.url,
    headers: {},
    body: '{}',
    signal: gone.signal,
    policy: { kind: 'owner', allowPrivateNetwork: true },
    connectMs: 5000,
  }),
)
await Promise.race([Promise.all(replies), Bun.sleep(3000)])
const streams = provider.requests.length
const leftAtMs = performance.now()
gone.abort()
const closed = await Promise.all(provider.requests.map((request) => request.hungUp))
process.stdout.write(JSON.stringify({ streams, slowestCloseMs: Math.max(...closed) - leftAtMs }))
process.exit(0)
