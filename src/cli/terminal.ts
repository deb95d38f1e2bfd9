import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Terminal } from './command.ts'

/** The terminal, or the pipes, that this process was started with. */
export function processTerminal(): Terminal {
  const secrets = new SecretReader()
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    tell: (line) => void process.stderr.write(`${line}\n`),
    readSecret: (question) => secrets.read(question),
    confirm,
    colours: process.stdout.isTTY,
  }
}

/** Yes is said in full or by its first letter; everything else is no. */
async function confirm(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  reader.setPrompt(`${question} [y/N] `)
  reader.prompt()
  const answer = await firstLine(reader)
  reader.close()
  return /^y(es)?$/i.test(answer?.trim() ?? '')
}

/** Reads lines that must not be seen. A terminal's echo is off meanwhile, since readline writes what is typed to nowhere. */
class SecretReader {
  #lines: AsyncIterator<string> | undefined

  async read(question: string): Promise<string | undefined> {
    if (process.stdin.isTTY) return this.#ask(question)
    this.#lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]()
    const next = await this.#lines.next()
    return next.done === true ? undefined : next.value
  }

  async #ask(question: string): Promise<string | undefined> {
    process.stderr.write(question)
    const reader = createInterface({ input: process.stdin, output: nowhere(), terminal: true })
    const answer = await firstLine(reader)
    reader.close()
    process.stderr.write('\n')
    return answer
  }
}

/** Undefined when input ends, or is interrupted, before a line does. */
function firstLine(reader: Interface): Promise<string | undefined> {
  return new Promise((resolve) => {
    reader.once('line', resolve)
    reader.once('close', () => resolve(undefined))
  })
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
