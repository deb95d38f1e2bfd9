/** Methods that change nothing. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Does a browser say that another site's page makes this state-changing call? A missing Origin (curl, automation) is fine, since no
 * request carries ambient authority. `baseUrl` is where the request was made to; schemes may differ behind a proxy that ends TLS.
 */
export function comesFromElsewhere({ method, headers }: Pick<Request, 'method' | 'headers'>, baseUrl: string): boolean {
  const origin = headers.get('origin')
  if (origin === null || READING.has(method)) return false
  return URL.parse(origin)?.host !== URL.parse(baseUrl)?.host
}
