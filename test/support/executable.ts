/** The built program, and whether it is what the sources say. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..', '..')
const MAIN = join(ROOT, 'src', 'main.ts')
/** Whatever ends up in the executable. */
const PARTS = ['bun.lock', 'src/**/*', 'drizzle/**/*', 'scripts/**/*', 'docs/**/*']

export const EXECUTABLE = join(ROOT, 'dist', 'signalbox')

/** What is started: the executable, or the program from its sources while that is older than they are. */
export function program(): readonly [string, ...string[]] {
  return isFresh() ? [EXECUTABLE] : [process.execPath, MAIN]
}

export function isFresh(): boolean {
  if (!existsSync(EXECUTABLE)) return false
  const builtMs = statSync(EXECUTABLE).mtimeMs
  const parts = PARTS.flatMap((part) => [...new Bun.Glob(part).scanSync({ cwd: ROOT })])
  return parts.every((path) => statSync(join(ROOT, path)).mtimeMs <= builtMs)
}
