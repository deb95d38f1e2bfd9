/** When prompts and answers are kept. `inherit` leaves it to whoever is asked next: key, plan, settings. */
export const CONTENT_LOGGING = ['never', 'errors', 'always'] as const
export type ContentLogging = (typeof CONTENT_LOGGING)[number]

/** What a client sent and what it got, as text. */
export interface Content {
  readonly request: string
  readonly answer: string
  /** One of them is not all there: it was longer than is kept, or its client left. */
  readonly isCut: boolean
}

/** As the ledger's readers get it. */
export interface KeptContent extends Content {
  readonly expiresAtMs: number
}
