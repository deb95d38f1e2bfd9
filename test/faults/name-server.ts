/** A name server that does to a name what its first label says. https://www.rfc-editor.org/rfc/rfc1035 (read 2026-11-21) */

/** Of this machine, and of nobody else on it. */
export const NAME_SERVER = '127.53.97.9'
const PORT = 53
const HEADER_BYTES = 12
const TYPE_A = 1
const ANSWER_AND_RECURSION = 0x81_80

type Behaviour = 'silence' | 'garbage' | { readonly code: number } | { readonly address: readonly number[] }

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  silent: 'silence',
  garbled: 'garbage',
  here: { address: [127, 0, 0, 1] },
  metadata: { address: [169, 254, 169, 254] },
  broken: { code: 2 },
  nobody: { code: 3 },
  refusing: { code: 5 },
}

export interface NameServer {
  /** How often a name was asked for, by its first label. */
  asked(label: string): number
  stop(): void
}

export async function playNameServer(): Promise<NameServer> {
  const asked: string[] = []
  const socket = await Bun.udpSocket({
    hostname: NAME_SERVER,
    port: PORT,
    socket: {
      data: (server, query, port, address) => {
        const label = firstLabel(query)
        asked.push(label)
        const reply = replyTo(query, BEHAVIOURS[label] ?? { code: 3 })
        if (reply !== undefined) server.send(reply, port, address)
      },
    },
  })
  return { asked: (label) => asked.filter((one) => one === label).length, stop: () => socket.close() }
}

function firstLabel(query: Buffer): string {
  return query.toString('latin1', HEADER_BYTES + 1, HEADER_BYTES + 1 + (query[HEADER_BYTES] ?? 0))
}

function replyTo(query: Buffer, behaviour: Behaviour): Buffer | undefined {
  if (behaviour === 'silence') return undefined
  const questionEnd = query.indexOf(0, HEADER_BYTES) + 5
  if (behaviour === 'garbage') return Buffer.concat([query.subarray(0, 2), Buffer.alloc(40, 0xff)])
  const isForAddress = query.readUInt16BE(questionEnd - 4) === TYPE_A
  const address = 'address' in behaviour && isForAddress ? behaviour.address : undefined
  const head = Buffer.alloc(HEADER_BYTES)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(ANSWER_AND_RECURSION | ('code' in behaviour ? behaviour.code : 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(address === undefined ? 0 : 1, 6)
  // The name of the question, an address of the internet, for one second, four bytes.
  const answer = address === undefined ? [] : [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 1, 0, 4, ...address]
  return Buffer.concat([head, query.subarray(HEADER_BYTES, questionEnd), Buffer.from(answer)])
}
