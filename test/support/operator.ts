/** The person behind the dashboard, through its REST API alone: sets up, creates, reads. */

/** Fields of a created object that tests follow. */
export interface Created {
  readonly id: string
  /** Of a key. */
  readonly secret: string
}

interface Credentials {
  readonly email: string
  readonly password: string
}

const OWNER: Credentials = { email: 'owner@signalbox.example', password: 'a long enough passphrase' }

export class Operator {
  readonly #url: string
  readonly #accessToken: string
  readonly #keepsConnections: boolean

  private constructor(url: string, accessToken: string, keepsConnections = true) {
    this.#url = url
    this.#accessToken = accessToken
    this.#keepsConnections = keepsConnections
  }

  /** Becomes the owner by the one-time link. */
  static async setUp(url: string, token: string, owner: Credentials = OWNER): Promise<Operator> {
    return new Operator(url, await accessToken(`${url}/v1/auth/setup`, { token, ...owner }))
  }

  static async signIn(url: string): Promise<Operator> {
    return new Operator(url, await accessToken(`${url}/v1/auth/sign-in`, OWNER))
  }

  /** The same person, after a restart of the gateway. */
  movedTo(url: string): Operator {
    return new Operator(url, this.#accessToken, this.#keepsConnections)
  }

  /** The same person, whose connections end with each call: for who counts those of the gateway. */
  leavingNothing(): Operator {
    return new Operator(this.#url, this.#accessToken, false)
  }

  /** `data` of the answer; throws with the answer when it is not a success. */
  async create<T = Created>(path: string, body: unknown): Promise<T> {
    return (await this.#call<{ data: T }>('POST', path, body)).data
  }

  async change<T = Created>(path: string, body: unknown): Promise<T> {
    return (await this.#call<{ data: T }>('PATCH', path, body)).data
  }

  async read<T>(path: string): Promise<T> {
    return (await this.#call<{ data: T }>('GET', path)).data
  }

  /** Reads a file to its end; returns how many bytes it has. */
  async download(path: string): Promise<number> {
    const response = await fetch(`${this.#url}${path}`, { headers: { authorization: `Bearer ${this.#accessToken}` } })
    if (!response.ok || response.body === null) throw new Error(`the gateway answered ${response.status}`)
    let bytes = 0
    for await (const chunk of response.body) bytes += chunk.byteLength
    return bytes
  }

  async remove(path: string): Promise<void> {
    await this.#call('DELETE', path)
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${this.#accessToken}` }
    const json = { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const keepalive = this.#keepsConnections
    const sent = { method, keepalive, ...(body === undefined ? { headers } : json) }
    return answerOf<T>(await fetch(`${this.#url}${path}`, sent))
  }
}

async function accessToken(url: string, body: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answerOf<{ data: { access_token: string } }>(response)).data.access_token
}

async function answerOf<T>(response: Response): Promise<T> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${text}`)
  return JSON.parse(text) as T
}
