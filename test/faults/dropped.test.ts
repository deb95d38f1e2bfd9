/** Runs `dropped-packets.ts` where packets can be dropped without harm to anyone: in a network namespace, which only root may make. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const SUITE = join(import.meta.dir, 'dropped-packets.ts')
const PLACE = 'ip link set lo up && ip route add 10.209.0.0/16 dev lo && exec "$@"'
const SUITE_MS_MAX = 60_000

const lacks = [
  process.platform === 'linux' ? [] : ['it is not Linux'],
  process.getuid?.() === 0 ? [] : ['it is not run by root'],
  ...['unshare', 'ip'].map((program) => (Bun.which(program) === null ? [`${program} is missing`] : [])),
].flat()

test.skipIf(lacks.length > 0)(
  `dropped packets are given up in time${lacks.length === 0 ? '' : ` (skipped: ${lacks.join(', ')})`}`,
  async () => {
    const inside = ['sh', '-c', PLACE, 'sh', process.execPath, 'test', '--timeout=20000', SUITE]
    const suite = Bun.spawn(['unshare', '--net', ...inside], { env: process.env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [output, code] = await Promise.all([suite.stderr.text(), suite.exited])
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
  },
  SUITE_MS_MAX,
)
