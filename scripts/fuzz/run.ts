/** Cases by seed and number, each of which can be made again by itself. */
import { cutAt } from '../../test/dialects/streams.ts'
import { corpus, requestCorpus, type Subject } from './corpus.ts'
import { Dice } from './dice.ts'
import { changedJson, damagedBytes, damagedFrames } from './mutate.ts'
import { faultOf, type Fixture } from './trial.ts'

const CUTS_MAX = 6

export interface Fault {
  readonly caseIndex: number
  readonly fault: string
  /** As small as it could be made. */
  readonly fixture: Fixture
}

interface Corpus {
  readonly subjects: readonly Subject[]
  readonly requests: ReturnType<typeof requestCorpus>
}

/** Runs the cases from `first` on, and gives the first fault. */
export function fuzz(seed: number, first: number, count: number): Fault | undefined {
  const whole = { subjects: corpus(), requests: requestCorpus() }
  for (let caseIndex = first; caseIndex < first + count; caseIndex++) {
    const fixture = fixtureOf(whole, new Dice(seed, caseIndex))
    const fault = faultOf(fixture)
    if (fault !== undefined) return { caseIndex, fault, fixture: shrunk(fixture) }
  }
  return undefined
}

function fixtureOf({ subjects, requests }: Corpus, dice: Dice): Fixture {
  const { sample, streams, frames, replies } = dice.of(subjects)
  const [client, bodies] = dice.of(requests)
  const pair = { upstream: sample.upstream.dialect.id, client }
  if (dice.once(6)) return { ...pair, request: changedJson(dice, changedJson(dice, dice.of(bodies))) }
  if (dice.once(6)) return { ...pair, reply: changedJson(dice, dice.of(replies)) }
  if (dice.once(2)) {
    const damaged = damagedFrames(dice, dice.of(frames), dice.of(frames))
    return { ...pair, frames: damaged.map(({ event, data }) => ({ event, data })) }
  }
  const bytes = damagedBytes(dice, dice.of(streams), dice.of(streams))
  const places = Array.from({ length: dice.below(CUTS_MAX) }, () => dice.below(bytes.length + 1))
  return { ...pair, chunks: cutAt(bytes, places).map((chunk) => Buffer.from(chunk).toString('base64')) }
}

/** Leaves out frames, or pieces, as long as anything stays wrong. */
function shrunk(fixture: Fixture): Fixture {
  let smallest = fixture
  for (let at = lengthOf(fixture) - 1; at >= 0; at--) {
    const smaller = without(smallest, at)
    if (faultOf(smaller) !== undefined) smallest = smaller
  }
  return smallest
}

function lengthOf({ chunks, frames }: Fixture): number {
  return (chunks ?? frames ?? []).length
}

function without(fixture: Fixture, at: number): Fixture {
  const { chunks, frames } = fixture
  if (chunks !== undefined) return { ...fixture, chunks: chunks.toSpliced(at, 1) }
  return frames === undefined ? fixture : { ...fixture, frames: frames.toSpliced(at, 1) }
}
