/** What a played provider can do with a request, ready to be put into a script of `provider.ts`. */
import type { Play } from './provider.ts'

/** A piece of a stream: bytes are sent at once, a promise is waited for, a word acts. */
export type Step = string | Uint8Array | Promise<unknown> | 'cut' | 'reset' | 'silence'

const EVENT_STREAM = { 'content-type': 'text/event-stream' } as const

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Play {
  return text(JSON.stringify(body), status, { 'content-type': 'application/json', ...headers })
}

/** A body with its length, as it is: broken JSON, HTML, nothing. */
export function text(
  body: string | Uint8Array,
  status = 200,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/plain' },
): Play {
  return (stage) => stage.reply(status, headers, body)
}

/** Pieces in order. It ends properly unless a step said otherwise. */
export function stream(steps: Iterable<Step>, headers: Readonly<Record<string, string>> = EVENT_STREAM): Play {
  return async (stage) => {
    stage.head(200, headers)
    for (const step of steps) {
      if (step === 'cut') return stage.cut()
      if (step === 'reset') return stage.reset()
      if (step === 'silence') return
      if (typeof step === 'string' || step instanceof Uint8Array) stage.write(step)
      else await step
    }
    stage.end()
  }
}

/** Takes the request and says nothing, ever. */
export const silence: Play = () => {}
export const reset: Play = (stage) => stage.reset()
export const cut: Play = (stage) => stage.cut()

/** Byte-exact; the connection stays open afterwards. */
export function raw(...pieces: readonly (string | Uint8Array)[]): Play {
  return (stage) => pieces.forEach((piece) => stage.raw(piece))
}

/** Waits before playing: a slow first byte. */
export function after(moment: Promise<unknown>, play: Play): Play {
  return async (stage) => {
    await moment
    await play(stage)
  }
}

export function redirect(location: string, status = 307): Play {
  return text('', status, { location })
}
