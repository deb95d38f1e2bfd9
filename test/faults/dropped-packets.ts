/**
 * Packets that nobody answers. To be run in a network namespace of its own, as `dropped.test.ts` does: there a network leads
 * nowhere, and an address can be taken away under a stream.
 */
import { afterAll, beforeAll, test } from 'bun:test'
import { START_MS_MAX } from '../sdk/bench.ts'
import { stream } from '../support/plays.ts'
import { cutBy, failed, type Fault, nobody, plays } from './fault.ts'
import { meetAlone, meetWithAnother } from './meet.ts'
import { Stand } from './stand.ts'
import { begin, VOICES } from './voice.ts'

/** Of the network that leads nowhere. */
const NOWHERE = '10.209.98.7'
/** Takes a host's address away, and so both directions of what stands. */
const removed = (address: string): void => void Bun.spawnSync(['ip', 'address', 'del', `${address}/32`, 'dev', 'lo'])
let used = 0

const DROPPED: readonly Fault[] = [
  {
    name: 'to an address that does not answer',
    patience: { connect_ms: 400 },
    host: () => ({ ...nobody(), url: `http://${NOWHERE}` }),
    outcome: failed('timeout'),
  },
  {
    name: 'under a stream',
    modes: ['streamed'],
    patience: { idle_ms: 400 },
    host: async (voice) => {
      const address = `10.209.97.${++used}`
      Bun.spawnSync(['ip', 'address', 'add', `${address}/32`, 'dev', 'lo'])
      const gone = plays(
        () => async (stage) => {
          await stream([...begin(voice), 'silence'])(stage)
          await Bun.sleep(BEGUN_MS)
          removed(address)
        },
        { hostname: address },
      )
      // Nobody tells the provider that the program has left.
      return { ...(await gone(voice)), open: () => 0 }
    },
    outcome: cutBy('timeout'),
  },
]
/** For what was said to arrive. */
const BEGUN_MS = 100

let stand: Stand
beforeAll(async () => {
  stand = await Stand.open()
}, START_MS_MAX)
afterAll(() => stand?.[Symbol.asyncDispose]())

for (const fault of DROPPED)
  for (const voice of VOICES.filter(({ mode }) => fault.modes?.includes(mode) !== false))
    test(`dropped packets ${fault.name} (${voice.client.name}, ${voice.mode})`, async () => {
      await meetAlone(stand, fault, voice)
      await meetWithAnother(stand, fault, voice)
    })
