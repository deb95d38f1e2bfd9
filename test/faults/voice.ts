/** Who asks and who answers: a client whose requests go to a provider of its own format, streamed or plain. */
import { CHAT, type Client, MESSAGES } from '../gateway/clients.ts'
import { ANTHROPIC, OPENAI_CHAT, type Speaker } from '../gateway/upstreams.ts'

export type Mode = 'streamed' | 'plain'

export interface Voice {
  readonly client: Client
  readonly speaker: Speaker
  /** What custom providers call the format. */
  readonly dialect: string
  readonly mode: Mode
}

const SIDES = [
  { client: MESSAGES, speaker: ANTHROPIC, dialect: 'anthropic_messages' },
  { client: CHAT, speaker: OPENAI_CHAT, dialect: 'openai_chat' },
] as const

/** Every client in every mode. */
export const VOICES: readonly Voice[] = SIDES.flatMap((side) =>
  (['plain', 'streamed'] as const).map((mode) => ({ ...side, mode })),
)

/** What a provider says when nothing is wrong with it. */
export const WHOLE = 'Hi there.'
/** What a stream says before anything happens to it. */
export const BEGUN = 'Hi '

/** The events of an answer that says `WHOLE`. */
export function events({ speaker }: Voice): readonly string[] {
  return speaker.stream([BEGUN, 'there.'])
}

/** Events up to and with the first content. */
export function begin(voice: Voice): readonly string[] {
  const all = events(voice)
  return all.slice(0, all.findIndex((event) => event.includes(BEGUN)) + 1)
}

/** Events before the first content. */
export function prelude(voice: Voice): readonly string[] {
  return begin(voice).slice(0, -1)
}

/** The bytes of a whole answer, whichever way it was asked for. */
export function answerBody(voice: Voice): string {
  return voice.mode === 'streamed' ? events(voice).join('') : JSON.stringify(voice.speaker.reply(WHOLE))
}

export function answerType({ mode }: Voice): string {
  return mode === 'streamed' ? 'text/event-stream' : 'application/json'
}
