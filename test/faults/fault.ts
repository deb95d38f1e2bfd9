/** A fault: what stands where a provider should, and what must become of a request that meets it. */
import type { FailureKind } from '../../src/core/failure.ts'
import { closedPort, playProvider, type Play, type PlayOptions } from '../support/provider.ts'
import { BEGUN, type Mode, type Voice } from './voice.ts'

export interface Fault {
  readonly name: string
  /** Both, unless it can only happen in one. */
  readonly modes?: readonly Mode[]
  /** How long the chain waits; by default far longer than anything takes here. */
  readonly patience?: Patience
  /** Of the question, when it has to be a long one. */
  readonly bytes?: number
  readonly host: (voice: Voice) => Host | Promise<Host>
  readonly outcome: Outcome | Readonly<Record<Mode, Outcome>> | ((voice: Voice) => Outcome)
}

/** `timeouts` of a step, in milliseconds. */
export interface Patience {
  readonly connect_ms?: number
  readonly first_token_ms?: number
  readonly idle_ms?: number
  readonly total_ms?: number
}

/** Where the address of the faulty provider leads. */
export interface Host {
  /** Without the path. */
  readonly url: string
  /** How often the program was there: requests, or connections where none gets that far; undefined where nobody can count. */
  readonly hits: () => number | undefined
  /** Connections that stand now. */
  readonly open: () => number
  /** The address of a proxy in between. */
  readonly by?: string
  stop(): void
}

export type Outcome = Answered | Failed | Cut

/** The client gets the whole answer. */
export interface Answered {
  readonly ends: 'answered'
}

/** The client gets no content: a status of its own, in its format. */
export interface Failed {
  readonly ends: 'failed'
  readonly kind: FailureKind
  /** For `rejected`: the provider's own. */
  readonly status?: number
  /** To clients of Messages, whose providers speak for themselves of what is wrong with a request. */
  readonly messagesType?: string
  /** What the client is told to wait, in whole seconds. */
  readonly retryAfterS?: number
  /** The provider answered properly, so that its connection may be kept. */
  readonly keeps?: true
}

/** The client has content when it happens: the stream ends with an error event. */
export interface Cut {
  readonly ends: 'cut'
  readonly kind: FailureKind
  /** What the client has by then. */
  readonly text: string
  /** As above. */
  readonly keeps?: true
}

export const ANSWERED: Answered = { ends: 'answered' }

export function failed(kind: FailureKind, more: Partial<Failed> = {}): Failed {
  return { ends: 'failed', kind, ...more }
}

export function cutBy(kind: FailureKind, text = BEGUN): Cut {
  return { ends: 'cut', kind, text }
}

export function outcomeFor({ outcome }: Fault, voice: Voice): Outcome {
  if (typeof outcome === 'function') return outcome(voice)
  return 'ends' in outcome ? outcome : outcome[voice.mode]
}

/** A provider that meets every request with `play`. */
export function plays(play: (voice: Voice) => Play, options: PlayOptions = {}): Fault['host'] {
  return (voice) => {
    const played = playProvider([], options)
    played.otherwise(play(voice))
    return { url: played.url, hits: () => played.requests.length, open: () => played.open, stop: () => played.stop() }
  }
}

export function nobody(): Host {
  return { url: `http://127.0.0.1:${closedPort()}`, hits: () => undefined, open: () => 0, stop: () => undefined }
}
