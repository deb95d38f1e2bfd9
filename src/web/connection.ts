import { Store } from './store.ts'

/** Undefined while the server answers. */
export interface Outage {
  /** When it last answered. */
  readonly lastOkMs: number
  readonly nextTryMs: number
}

const FIRST_PAUSE_MS = 2_000
const PAUSE_MS_MAX = 30_000

/** Whether the server answers. While it does not, asks again after 2 s, then ever more seldom, at least every 30 s. */
export class Connection {
  readonly outage = new Store<Outage | undefined>(undefined)
  readonly #onBack: () => void
  #lastOkMs = Date.now()
  #pauseMs = FIRST_PAUSE_MS
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(onBack: () => void) {
    this.#onBack = onBack
  }

  answered(): void {
    this.#lastOkMs = Date.now()
    if (this.outage.get() === undefined) return
    clearTimeout(this.#timer)
    this.#pauseMs = FIRST_PAUSE_MS
    this.outage.set(undefined)
    this.#onBack()
  }

  failed(): void {
    if (this.outage.get() === undefined) this.#schedule()
  }

  readonly tryNow = (): void => {
    clearTimeout(this.#timer)
    void this.#probe()
  }

  #schedule(): void {
    this.outage.set({ lastOkMs: this.#lastOkMs, nextTryMs: Date.now() + this.#pauseMs })
    this.#timer = setTimeout(() => void this.#probe(), this.#pauseMs)
    this.#pauseMs = Math.min(PAUSE_MS_MAX, this.#pauseMs * 2)
  }

  async #probe(): Promise<void> {
    const isBack = await fetch('/health', { cache: 'no-store' }).then(
      (response) => response.ok,
      () => false,
    )
    if (isBack) this.answered()
    else this.#schedule()
  }
}
