import { isWellFormedHost } from './strict.ts'

/**
 * The address that a request was made to, without a trailing slash: its Host, or what a trusted proxy says it was. Only good for
 * showing it back to the same caller; nothing is ever granted because of it.
 */
export function requestedBaseUrl(
  { url, headers }: Pick<Request, 'url' | 'headers'>,
  fromTrustedProxy: boolean,
): string {
  const own = new URL(url)
  const forwarded = (name: string) => (fromTrustedProxy ? headers.get(name)?.split(',')[0]?.trim() : undefined)
  const hosts = [forwarded('x-forwarded-host'), headers.get('host')]
  const host = hosts.find((candidate) => typeof candidate === 'string' && isWellFormedHost(candidate)) ?? own.host
  const protocol = forwarded('x-forwarded-proto')
  const scheme = protocol === 'http' || protocol === 'https' ? protocol : own.protocol.replace(':', '')
  return `${scheme}://${host}`
}
