/** What can happen to an answer once it has begun: breaks at every event, silence at every stage, and what never ends. */
import type { Play } from '../support/provider.ts'
import { raw, silence, stream, type Step } from '../support/plays.ts'
import { longFrame, sseFrame } from '../support/provider-bodies.ts'
import { ANSWERED, cutBy, failed, type Fault, type Outcome, type Patience, plays } from './fault.ts'
import { begin, BEGUN, events, prelude, type Voice, WHOLE } from './voice.ts'

/** The provider ended its answer properly. */
const KEEPS = { keeps: true } as const
const BROKEN = failed('server')
const LATE = failed('timeout')
/** For what never comes; `total_ms` is what counts where a plain answer is due. */
const HASTY: Patience = { first_token_ms: 500, idle_ms: 500, total_ms: 500 }
const STREAMED = ['streamed'] as const
const MEGABYTE = 1024 * 1024
/** More than a line may have. */
const GIANT_MEGABYTES = 18

/** The longest stream of any format here has this many events. */
const EVENTS_MAX = 9

function breaks(end: 'cut' | 'reset', word: string): readonly Fault[] {
  return Array.from({ length: EVENTS_MAX }, (_, sent) => [
    broken(`${word} after ${sent} events`, sent, (voice) => [...events(voice).slice(0, sent), end]),
    broken(`${word} inside event ${sent}`, sent, (voice) => [
      ...events(voice).slice(0, sent),
      events(voice)[sent]?.slice(0, 12) ?? '',
      end,
    ]),
  ]).flat()
}

function broken(name: string, sent: number, steps: (voice: Voice) => readonly Step[]): Fault {
  return {
    name,
    modes: STREAMED,
    host: plays((voice) => stream(steps(voice))),
    outcome: (voice) => brokenAfter(voice, sent),
  }
}

/** Before content another may answer; once the provider has said why it stops, nothing is missing. */
function brokenAfter(voice: Voice, sent: number): Outcome {
  const all = events(voice)
  if (sent < begin(voice).length) return BROKEN
  const isOver = all.slice(0, sent).some((event) => /"(?:stop|finish)_reason":"(?:end_turn|stop)"/.test(event))
  return isOver ? ANSWERED : cutBy('cut', sent > begin(voice).length ? WHOLE : BEGUN)
}

function silent(name: string, outcome: Outcome, play: (voice: Voice) => Play): Fault {
  return { name, modes: STREAMED, patience: HASTY, host: plays(play), outcome }
}

/** `piece` every few milliseconds for as long as anyone listens. */
function ticking(before: (voice: Voice) => readonly string[], piece: string): (voice: Voice) => Play {
  return (voice) => async (stage) => {
    stage.head(200, { 'content-type': 'text/event-stream' })
    for (const event of before(voice)) stage.write(event)
    const timer = setInterval(() => stage.write(piece), TICK_MS)
    await stage.request.hungUp
    clearInterval(timer)
  }
}
const TICK_MS = 20

const giant = (before: readonly string[]): Play => {
  const line = Buffer.from(longFrame(MEGABYTE).trimEnd())
  return stream([...before, ...Array.from({ length: GIANT_MEGABYTES }, () => line), 'silence'])
}
const errorFrame = (type: string): string =>
  sseFrame('error', { type: 'error', error: { type, code: type, message: 'the pod at 10.1.2.3 is not well' } })

export const STREAMS: readonly Fault[] = [
  ...breaks('reset', 'a reset'),
  ...breaks('cut', 'an end'),
  { name: 'silence instead of a head', patience: HASTY, host: plays(() => silence), outcome: LATE },
  {
    name: 'silence inside the head',
    patience: HASTY,
    host: plays(() => raw('HTTP/1.1 200 OK\r\ncontent-type: text/')),
    outcome: LATE,
  },
  {
    name: 'silence after the head',
    patience: HASTY,
    host: plays((voice) =>
      raw(
        `HTTP/1.1 200 OK\r\ncontent-type: ${voice.mode === 'plain' ? 'application/json' : 'text/event-stream'}\r\ncontent-length: 500\r\n\r\n`,
      ),
    ),
    outcome: LATE,
  },
  {
    name: 'a plain answer that stops half way',
    modes: ['plain'],
    patience: HASTY,
    host: plays((voice) =>
      raw(`HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n${JSON.stringify(voice.speaker.reply('Hi')).slice(0, 60)}`),
    ),
    outcome: LATE,
  },
  silent('silence before the first content', LATE, (voice) => stream([...prelude(voice), 'silence'])),
  silent('silence after the first content', cutBy('timeout'), (voice) => stream([...begin(voice), 'silence'])),
  silent('silence inside an event', cutBy('timeout'), (voice) => stream([...begin(voice), 'data: {"ty', 'silence'])),
  silent(
    'comments without end',
    LATE,
    ticking(() => [], ': still here\n\n'),
  ),
  silent(
    'empty lines without end',
    LATE,
    ticking(() => [], '\n\n'),
  ),
  silent('events without content, without end', LATE, ticking(prelude, 'event: ping\ndata: {"type":"ping"}\n\n')),
  { name: 'a giant line before content', modes: STREAMED, host: plays(() => giant([])), outcome: BROKEN },
  {
    name: 'a giant line after content',
    modes: STREAMED,
    host: plays((voice) => giant(begin(voice))),
    outcome: cutBy('server'),
  },
  {
    name: 'garbage between chunks after content',
    modes: STREAMED,
    host: plays((voice) => async (stage) => {
      await stream([...begin(voice), 'silence'])(stage)
      stage.raw('this is no chunk\r\n')
    }),
    outcome: cutBy('cut'),
  },
  {
    name: 'an error where the stream begins',
    modes: STREAMED,
    host: plays(() => stream([errorFrame('overloaded_error')])),
    outcome: failed('overloaded', KEEPS),
  },
  {
    name: 'an error after the beginning of a stream',
    modes: STREAMED,
    host: plays((voice) => stream([...prelude(voice), errorFrame('overloaded_error'), 'silence'])),
    outcome: failed('overloaded'),
  },
  {
    name: 'an error after content',
    modes: STREAMED,
    host: plays((voice) => stream([...begin(voice), errorFrame('overloaded_error'), 'silence'])),
    outcome: cutBy('overloaded'),
  },
  {
    name: 'a proper end without the end of the answer',
    modes: STREAMED,
    host: plays((voice) => stream(begin(voice))),
    outcome: { ...cutBy('cut'), ...KEEPS },
  },
  {
    name: 'an end without content',
    modes: STREAMED,
    host: plays((voice) => stream(voice.speaker.stream([]))),
    outcome: failed('empty', KEEPS),
  },
]
