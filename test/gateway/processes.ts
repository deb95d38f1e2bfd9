import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts'

export const MAIN = join(import.meta.dir, '..', '..', 'src', 'main.ts')

/** The program as processes, started from its sources. They and their folders are gone when the tests of the file are over. */
export function makeProcesses() {
  const folders: string[] = []
  const started: GatewayProcess[] = []
  afterAll(async () => {
    for (const gateway of started) gateway.signal('SIGKILL') // those that ended already do not mind
    await Promise.all(started.map(({ exited }) => exited))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  return {
    newFolder: (): string => {
      const folder = mkdtempSync(join(tmpdir(), 'signalbox-process-'))
      folders.push(folder)
      return folder
    },
    start: async (dataDir: string): Promise<GatewayProcess> => {
      const gateway = await startGateway({ executable: [process.execPath, MAIN], dataDir })
      started.push(gateway)
      return gateway
    },
  }
}
