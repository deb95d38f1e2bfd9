/** The other side of `processes.ts`: what a process of the benchmark is told, and how it says that it is there. */
export function upstreamUrl(): string {
  const [, , url] = process.argv
  if (url === undefined) throw new Error('the address of the upstream is missing')
  return url
}

export function announcePort(port: number | undefined): void {
  console.log(port)
}
