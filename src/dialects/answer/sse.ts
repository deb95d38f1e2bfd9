/** Server-sent events as they are written to clients. */

/** A comment: clients skip it, proxies see life. */
export const KEEP_ALIVE = ': keepalive\n\n'

/** An event that has no name. */
export function dataEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
