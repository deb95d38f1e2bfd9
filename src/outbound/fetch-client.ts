import { err, ok } from '../core/result.ts'
import { TRANSFER_HEADERS, type Client, type ClientDeps, type Dial } from './client.ts'
import { cancelled, codeOf, connectFailure } from './connect-failure.ts'
import { eachSendable } from './request-headers.ts'
import type { OutboundReply, OutboundRequest } from './transport.ts'

/**
 * The client on the platform's `fetch`, without exits. `fetch` does not tell when a connection stands,
 * so `connectMs` cannot be kept here: a host that swallows packets is given up by the system, or by the caller's signal.
 */
export function makeFetchClient({ ca }: ClientDeps): Client {
  return async (dial, request) => {
    const headers = new Headers()
    const refusal = eachSendable(request.headers, (name, value) => headers.append(name, value))
    if (refusal !== undefined) return err(refusal)
    if (dial.address !== undefined) headers.set('host', dial.target.authority)
    if (request.undecoded === true) headers.set('accept-encoding', 'identity')
    try {
      return ok(new FetchReply(await fetch(dialled(dial), { ...optionsOf(dial, request, ca), headers })))
    } catch (error) {
      return err(request.signal.aborted ? cancelled() : connectFailure(codeOf(error), dial.target.where))
    }
  }
}

/** A checked address stands in the URL, so that nothing looks the name up again; `Host` and the certificate keep the name. */
function dialled({ target, address }: Dial): string {
  if (address === undefined || address === target.host) return target.url.href
  const pinned = new URL(target.url)
  pinned.hostname = address.includes(':') ? `[${address}]` : address
  return pinned.href
}

function optionsOf(dial: Dial, request: OutboundRequest, ca: readonly string[] | undefined): BunFetchRequestInit {
  const { method, body, signal } = request
  return {
    method,
    ...(body === undefined ? {} : { body }),
    ...tlsOf(dial, ca),
    proxy: false,
    signal,
    redirect: 'manual',
    timeout: false, // fetch would give up after five minutes of silence; silence is the caller's to judge
    decompress: request.undecoded !== true,
  }
}

function tlsOf({ target, address }: Dial, ca: readonly string[] | undefined): BunFetchRequestInit {
  if (!target.isTls) return {}
  const name = address === undefined ? {} : { serverName: target.host }
  return { tls: { ...name, ...(ca === undefined ? {} : { ca: [...ca] }), rejectUnauthorized: true } }
}

class FetchReply implements OutboundReply {
  readonly status: number
  readonly headers: Headers
  readonly #response: Response

  constructor(response: Response) {
    this.#response = response
    this.status = response.status
    this.headers = new Headers(response.headers)
    for (const name of TRANSFER_HEADERS) this.headers.delete(name)
  }

  header(name: string): string | null {
    return this.#response.headers.get(name)
  }

  headerPairs(): Iterable<readonly [string, string]> {
    return this.headers
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
