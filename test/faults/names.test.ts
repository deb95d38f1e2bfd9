/**
 * Names that cannot be looked up: the program runs with a name server of the test's own, in a mount namespace where the system's
 * list of name servers is another file. Only root may do that; elsewhere these tests are skipped.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { START_MS_MAX } from '../sdk/bench.ts'
import { ANSWERED, failed, type Fault, type Host, type Outcome, type Patience, plays } from './fault.ts'
import { meetAlone, meetWithAnother } from './meet.ts'
import { NAME_SERVER, type NameServer, playNameServer } from './name-server.ts'
import { Stand } from './stand.ts'
import { answerBody, answerType, VOICES } from './voice.ts'

/** Two of them are shorter than the system waits for its name server. */
const HASTY: Patience = { connect_ms: 300 }
const MAY = process.platform === 'linux' && process.getuid?.() === 0 && Bun.which('unshare') !== null
const WITH_OUR_NAMES = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'

let stand: Stand
let names: NameServer
let folder: string

beforeAll(async () => {
  if (!MAY) return
  folder = mkdtempSync(join(tmpdir(), 'signalbox-names-'))
  const list = join(folder, 'resolv.conf')
  writeFileSync(list, `nameserver ${NAME_SERVER}\noptions timeout:2 attempts:1\n`)
  names = await playNameServer()
  stand = await Stand.open({ prefix: ['/usr/bin/unshare', '--mount', '/bin/sh', '-c', WITH_OUR_NAMES, list] })
}, START_MS_MAX)
afterAll(async () => {
  if (!MAY) return
  await stand?.[Symbol.asyncDispose]()
  names.stop()
  rmSync(folder, { recursive: true })
})

/** Each has a name of its own: what is being looked up for one would else be waited for by another. */
let hosts = 0

/** A provider that is well, behind a name. */
function named(label: string, outcome: Outcome, patience?: Patience): Fault {
  const host: Fault['host'] = async (voice) => {
    const body = answerBody(voice)
    const real = await plays(() => (stage) => stage.reply(200, { 'content-type': answerType(voice) }, body))(voice)
    const url = real.url.replace('127.0.0.1', `${label}.n${hosts++}.faults.test`)
    return { ...real, url, hits: () => hitsOf(real, outcome) }
  }
  return { name: label, host, outcome, ...(patience === undefined ? {} : { patience }) }
}

/** Where nobody can have come, one who did is one too many. */
function hitsOf(real: Host, outcome: Outcome): number | undefined {
  return outcome.ends === 'answered' || real.hits() !== 0 ? real.hits() : undefined
}

const NAMED: readonly Fault[] = [
  named('here', ANSWERED),
  named('nobody', failed('connect')),
  named('broken', failed('connect')),
  named('refusing', failed('connect')),
  named('garbled', failed('connect')),
  named('silent', failed('timeout'), HASTY),
  named('metadata', failed('connect')),
]

/** Each client once: look-ups that get no answer take seconds, and the system makes few at a time. */
const SOME = VOICES.filter(({ client, mode }) => (client.name === 'messages') === (mode === 'plain'))

for (const fault of NAMED)
  for (const voice of SOME)
    test
      .skipIf(!MAY)
      .concurrent(
        `${fault.name} (${voice.client.name}, ${voice.mode})${MAY ? '' : ': only root may choose the name server'}`,
        async () => {
          await meetAlone(stand, fault, voice)
          await meetWithAnother(stand, fault, voice)
          expect(names.asked(fault.name)).toBeGreaterThan(0)
        },
      )
