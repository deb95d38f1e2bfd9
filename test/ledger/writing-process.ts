/**
 * Plays the process that is killed: writes requests through the real writer and a real timer, and prints the id and the moment
 * of each record before it hands it over. `bun writing-process.ts <path> <close|run>`.
 */
import { LedgerWriter } from '../../src/ledger/writer.ts'
import { attemptClosed, attemptOpened, requestClosed, requestOpened, telemetry } from './records.ts'

const [path = '', ending = 'run'] = process.argv.slice(2)
const clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs: number, due: () => void) => {
    const timer = setTimeout(due, delayMs)
    return () => clearTimeout(timer)
  },
  every: () => () => undefined,
}
const ledger = new LedgerWriter(telemetry(path), {
  clock,
  log: { write: (...line) => console.error(...line) },
  checkpoint: () => undefined,
})

let n = 0
function step(): void {
  for (let more = 0; more < 5; more++) one()
}

/** Every tenth request stays open, as a long stream would. */
function one(): void {
  const id = `req_${++n}`
  const attempt = `att_${n}`
  process.stdout.write(`${id} ${Date.now()}\n`)
  ledger.openRequest(requestOpened({ id, atMs: Date.now() }))
  ledger.openAttempt(attemptOpened({ id: attempt, requestId: id }))
  if (n % 10 === 0) return
  ledger.closeAttempt(attemptClosed({ id: attempt, requestId: id }))
  ledger.closeRequest(requestClosed({ id }))
}

const timer = setInterval(step, 1)
process.on('SIGTERM', () => {
  clearInterval(timer)
  if (ending === 'close') ledger.close()
  process.exit(0)
})
