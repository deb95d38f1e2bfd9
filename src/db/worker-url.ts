import { pathToFileURL } from 'node:url'

/**
 * The address of a thread's file, given by its path below `src/`. In the executable `import.meta.url` names the machine it was
 * built on (bytecode) or the executable itself, so the file is found from the main one: it is embedded at its path when it is an
 * entry point of the build.
 */
export function workerUrl(path: string): string {
  const isCompiled = Bun.main.includes('/$bunfs/') || Bun.main.includes('~BUN')
  const url = isCompiled ? new URL(`./${path}`, pathToFileURL(Bun.main)) : new URL(`../${path}`, import.meta.url)
  return url.href
}
