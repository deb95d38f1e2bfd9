import { Store } from '../store.ts'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'done' | 'failed'
  /** Takes the act back; offered until the toast goes. */
  readonly undo?: (() => void) | undefined
}

const TOASTS_MAX = 3

/** Results of acts whose place is not on the screen any more. Never an error of a field: that belongs beside the field. */
export class Toasts {
  readonly shown = new Store<readonly Toast[]>([])
  #lastId = 0

  readonly done = (text: string, undo?: () => void): void => this.#show({ text, tone: 'done', undo })

  readonly failed = (text: string): void => this.#show({ text, tone: 'failed' })

  readonly dismiss = (id: number): void => this.shown.set(this.shown.get().filter((toast) => toast.id !== id))

  #show(toast: Omit<Toast, 'id'>): void {
    this.#lastId += 1
    this.shown.set([...this.shown.get(), { ...toast, id: this.#lastId }].slice(-TOASTS_MAX))
  }
}
