/** The other side of `processes.ts`: what a process of the benchmark is told, and how it says that it is there. */
export function upstreamUrl(): string {
  const [, , url] = process.argv
  if (url === undefined) throw new Error('the address of the upstream is missing')
  return url
}

/** The parent holds our standard input: when it ends, however that comes, so do we. */
export function announcePort(port: number | undefined): void {
  process.stdin.on('end', () => process.exit(0)).resume()
  console.log(port)
}
