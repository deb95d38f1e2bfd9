import { err, ok } from '../core/result.ts'
import { hostOf, whereTo, type Client, type ClientDeps, type Dial } from './client.ts'
import { cancelled, codeOf, connectFailure } from './connect-failure.ts'
import type { OutboundReply, OutboundRequest } from './transport.ts'

/**
 * The client on the platform's `fetch`, the one that can go through a proxy. `fetch` does not tell when a connection stands,
 * so `connectMs` cannot be kept here: a host that swallows packets is given up by the system, or by the caller's signal.
 */
export function makeFetchClient({ ca }: ClientDeps): Client {
  return async (dial, request) => {
    try {
      return ok(new FetchReply(await fetch(dialled(dial), optionsOf(dial, request, ca))))
    } catch (error) {
      return err(request.signal.aborted ? cancelled() : connectFailure(codeOf(error), whereTo(dial.url)))
    }
  }
}

/** A checked address stands in the URL, so that nothing looks the name up again; `Host` and the certificate keep the name. */
function dialled({ url, address }: Dial): string {
  if (address === undefined) return url.href
  const pinned = new URL(url)
  pinned.hostname = address.includes(':') ? `[${address}]` : address
  return pinned.href
}

function optionsOf(dial: Dial, request: OutboundRequest, ca: readonly string[] | undefined): BunFetchRequestInit {
  const { url, address, proxy } = dial
  const { method, headers, body, signal } = request
  return {
    method,
    headers: address === undefined ? headers : { ...headers, host: url.host },
    ...(body === undefined ? {} : { body }),
    ...tlsOf(dial, ca),
    proxy: proxy === undefined ? false : { url: proxy, respectNoProxy: false },
    signal,
    redirect: 'manual',
    timeout: false, // fetch would give up after five minutes of silence; silence is the caller's to judge
    decompress: true,
  }
}

function tlsOf({ url, address }: Dial, ca: readonly string[] | undefined): BunFetchRequestInit {
  if (url.protocol === 'http:' || (address === undefined && ca === undefined)) return {}
  return { tls: { serverName: hostOf(url), ...(ca === undefined ? {} : { ca: [...ca] }) } }
}

class FetchReply implements OutboundReply {
  readonly status: number
  readonly headers: Headers
  readonly #response: Response

  constructor(response: Response) {
    this.#response = response
    this.status = response.status
    this.headers = new Headers(response.headers)
    this.headers.delete('content-encoding')
    this.headers.delete('content-length')
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.#response.body
  }

  async discard(): Promise<void> {
    try {
      await this.#response.body?.cancel()
    } catch {
      // Somebody reads it, or it is broken already: either way there is nothing left to give up.
    }
  }
}
