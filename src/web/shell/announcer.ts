import { Store } from '../store.ts'

/** What screen readers are told: results and copies politely, the connection at once. */
export class Announcer {
  readonly polite = new Store('')
  readonly assertive = new Store('')

  /** The same words twice in a row are said twice: an invisible space tells them apart. */
  readonly say = (text: string): void => {
    this.polite.set(this.polite.get() === text ? `${text}\u00a0` : text)
  }

  readonly interrupt = (text: string): void => {
    this.assertive.set(text)
  }
}
