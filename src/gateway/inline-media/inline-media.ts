/**
 * Media by address, for targets that do not read them by themselves: the gateway fetches them under the *public* policy, and the
 * request goes on with their bytes in it. Once for each address, however many attempts there are. What goes wrong is the fault of
 * the client's address and never of the account: a 400 that names the field and says why.
 */
import type { Deadlines } from '../../core/deadlines.ts'
import { failure, type Failure, type FailureKind } from '../../core/failure.ts'
import type { Json } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { ChatRequest, Media } from '../../dialects/neutral.ts'
import type { FetchPublic, PublicFile } from '../../outbound/fetch-public.ts'
import { ACCEPTED, mediaOf } from './media-kinds.ts'
import { keyOf, pathOfText, withFetched, type RemoteMedium } from './request-media.ts'

/** Different addresses in one request. */
export const MEDIA_URLS_MAX = 32
/** One file: the most that any provider takes inside a request. */
export const MEDIA_BYTES_MAX = 20 * 1024 * 1024
const FETCHES_AT_ONCE = 4
/** All files of one attempt. */
const ALL_MS = 60_000

export interface InlineMediaDeps {
  readonly fetchPublic: FetchPublic
  readonly deadlines: Deadlines
  /** All files of one request together: no more than its client could have sent in the body. */
  readonly bytesMax: number
}

interface Blamed {
  readonly medium: RemoteMedium
  readonly cause: Failure
}

/** What was fetched for one client request. */
export class InlineMedia {
  readonly #deps: InlineMediaDeps
  readonly #files = new Map<string, Promise<Result<Media, Failure>>>()
  readonly #blamed = new Map<string, Failure>()
  #bytesLeft: number

  constructor(deps: InlineMediaDeps) {
    this.#deps = deps
    this.#bytesLeft = deps.bytesMax
  }

  /**
   * The request with the bytes of `media` in it. `body` gives the client's own, in which the field to blame is found.
   * Failures: `malformed` and `unsupported`, with `param`; `limited` and `cancelled`.
   */
  async inline(
    request: ChatRequest,
    media: readonly RemoteMedium[],
    body: () => Json,
    signal: AbortSignal,
  ): Promise<Result<ChatRequest, Failure>> {
    if (media.length > MEDIA_URLS_MAX) {
      return err(failure('unsupported', `No more than ${MEDIA_URLS_MAX} files are fetched for one request.`))
    }
    const blamed = this.#knownBad(media) ?? (await this.#fetchAll(media, signal))
    if (blamed !== undefined) return err(located(blamed, body))
    return ok(withFetched(request, await this.#found(media)))
  }

  #knownBad(media: readonly RemoteMedium[]): Blamed | undefined {
    for (const medium of media) {
      const cause = this.#blamed.get(keyOf(medium))
      if (cause !== undefined) return { medium, cause }
    }
    return undefined
  }

  /** The first thing that goes wrong; what is still under way is given up then. */
  async #fetchAll(media: readonly RemoteMedium[], signal: AbortSignal): Promise<Blamed | undefined> {
    const stop = new Stop(this.#deps.deadlines, signal)
    const waiting = [...media]
    let blamed: Blamed | undefined
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && blamed === undefined; next = waiting.shift()) {
        const fetched = await this.#fetchOnce(next, stop.signal)
        if (fetched.ok || blamed !== undefined) continue
        blamed = { medium: next, cause: stop.due ?? fetched.error }
        this.#blame(blamed)
        stop.abort()
      }
    }
    await Promise.all(Array.from({ length: FETCHES_AT_ONCE }, work))
    stop.end()
    return blamed
  }

  #blame({ medium, cause }: Blamed): void {
    if (!OURS.has(cause.kind)) this.#blamed.set(keyOf(medium), cause)
  }

  async #fetchOnce(medium: RemoteMedium, signal: AbortSignal): Promise<Result<Media, Failure>> {
    const key = keyOf(medium)
    const asked = this.#files.get(key) ?? this.#fetch(medium, signal)
    this.#files.set(key, asked)
    const fetched = await asked
    if (!fetched.ok) this.#files.delete(key) // it may only have been given up for the sake of another
    return fetched
  }

  async #fetch({ kind, url }: RemoteMedium, signal: AbortSignal): Promise<Result<Media, Failure>> {
    const bytesMax = Math.max(0, Math.min(MEDIA_BYTES_MAX, this.#bytesLeft))
    const file = await this.#deps.fetchPublic({ url, accept: ACCEPTED[kind], bytesMax, signal })
    if (!file.ok) return file
    const { status, bytes } = file.value
    if (!isFine(file.value)) return err(failure('malformed', `The host answered with status ${status}.`))
    this.#bytesLeft -= bytes.length
    if (this.#bytesLeft < 0) return err(failure('too_large', 'The files of the request are too large together.'))
    return mediaOf(kind, file.value)
  }

  async #found(media: readonly RemoteMedium[]): Promise<ReadonlyMap<string, Media>> {
    const found = new Map<string, Media>()
    for (const medium of media) {
      const file = await this.#files.get(keyOf(medium))
      if (file?.ok === true) found.set(keyOf(medium), file.value)
    }
    return found
  }
}

/** Ends all fetches of an attempt: with the attempt, when time is up, or when one of them failed. */
class Stop {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal
  readonly #onAbort = (): void => this.#controller.abort()
  readonly #clear: () => void
  #due: Failure | undefined

  constructor(deadlines: Deadlines, outer: AbortSignal) {
    this.#outer = outer
    if (outer.aborted) this.#controller.abort()
    else outer.addEventListener('abort', this.#onAbort)
    const deadline = deadlines.start(ALL_MS, () => {
      this.#due = failure('timeout', 'Fetching the files of the request took too long.')
      this.#controller.abort()
    })
    this.#clear = () => deadline.clear()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The timeout, once time was up. */
  get due(): Failure | undefined {
    return this.#due
  }

  abort(): void {
    this.#controller.abort()
  }

  end(): void {
    this.#clear()
    this.#outer.removeEventListener('abort', this.#onAbort)
  }
}

function isFine({ status }: PublicFile): boolean {
  return status >= 200 && status <= 299
}

/** What says nothing about the address. */
const OURS: ReadonlySet<FailureKind> = new Set(['cancelled', 'limited'])

/** Whatever went wrong out there: to the client it is its own address that cannot be used. */
function located({ medium, cause }: Blamed, body: () => Json): Failure {
  if (OURS.has(cause.kind)) return cause
  const param = pathOfText(body(), medium.url)
  const place = param === undefined ? '' : `${param}: `
  const kind = cause.kind === 'unsupported' ? 'unsupported' : 'malformed'
  return failure(kind, `${place}${shown(medium.url)} cannot be used. ${cause.message}`, {
    ...(param === undefined ? {} : { param }),
    ...(cause.detail === undefined ? {} : { detail: cause.detail }),
  })
}

const SHOWN_CHARACTERS_MAX = 200

/** Host and path: a query may hold what opens the file to anybody. */
function shown(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.host === '') return 'The address'
  return `${parsed.host}${parsed.pathname}`.slice(0, SHOWN_CHARACTERS_MAX)
}
