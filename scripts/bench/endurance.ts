/** What is left of very many requests: memory that does not come back, and the file that they are in. */
import { residentBytes } from './processes.ts'
import { heading, number, row, type Verdict } from './report.ts'
import { loadRequests, type UsageStage } from './usage-stage.ts'

const MB = 1_000_000
const BURST_MS = 10_000
/** It is looked at so often; what the last part adds to the first is what would add up for years. */
const PARTS = 4
const GROWTH_MAX = 1.25
const FILE_BYTES_MAX = 1_500

/** On a stage whose ledger is empty. */
export async function measureEndurance(stage: UsageStage, requests: number): Promise<readonly Verdict[]> {
  heading(`${requests.toLocaleString('en')} requests through the gateway`)
  row('', 'memory', 'file')
  const memory: number[] = []
  let sent = 0
  show(stage, 'before them')
  for (let part = 1; part <= PARTS; part++) {
    while (sent < (requests * part) / PARTS) sent += (await loadRequests(stage, stage.keys.plain, BURST_MS)).total
    memory.push(residentBytes(stage.server.pid))
    show(stage, `after ${sent.toLocaleString('en')}`)
  }
  const [first = Number.NaN] = memory
  return [
    {
      name: 'memory after all, of after a quarter',
      measured: (memory.at(-1) ?? Number.NaN) / first,
      bound: GROWTH_MAX,
      unit: ' times',
    },
    { name: 'file for each request', measured: stage.fileBytes() / sent, bound: FILE_BYTES_MAX, unit: ' bytes' },
  ]
}

function show(stage: UsageStage, label: string): void {
  row(label, number(residentBytes(stage.server.pid) / MB, ' MB'), number(stage.fileBytes() / MB, ' MB'))
}
